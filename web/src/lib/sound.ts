/** Small sounds, made here from oscillators and noise. */
import { settings } from "./settings.svelte";

export type Sound = "tile" | "plate" | "points" | "broken" | "turn" | "end";

let context: AudioContext | null = null;

function voice(): AudioContext | null {
  if (!settings.sound || settings.volume <= 0) return null;
  try {
    if (!navigator.userActivation.hasBeenActive) return null;
    context ??= new AudioContext();
    if (context.state === "suspended") void context.resume();
    return context;
  } catch {
    return null;
  }
}

/** One struck tone that dies away. */
function strike(
  audio: AudioContext,
  pitch: number,
  at: number,
  length: number,
  loud: number,
  type: OscillatorType,
): void {
  const tone = audio.createOscillator();
  const gain = audio.createGain();
  const start = audio.currentTime + at;
  tone.type = type;
  tone.frequency.setValueAtTime(pitch, start);
  gain.gain.setValueAtTime(loud * settings.volume, start);
  gain.gain.exponentialRampToValueAtTime(0.0001, start + length);
  tone.connect(gain).connect(audio.destination);
  tone.start(start);
  tone.stop(start + length);
}

const sounds: Record<Sound, (audio: AudioContext) => void> = {
  tile: (audio) => {
    strike(audio, 2100 + 300 * Math.random(), 0, 0.07, 0.14, "triangle");
    strike(audio, 3900, 0.006, 0.04, 0.06, "sine");
  },
  plate: (audio) => {
    strike(audio, 190, 0, 0.18, 0.4, "sine");
    strike(audio, 920, 0, 0.06, 0.12, "triangle");
  },
  points: (audio) => {
    [784, 988, 1175].forEach((pitch, k) => strike(audio, pitch, k * 0.06, 0.28, 0.12, "sine"));
  },
  broken: (audio) => {
    [520, 390, 260].forEach((pitch, k) => strike(audio, pitch, k * 0.05, 0.12, 0.14, "square"));
  },
  turn: (audio) => {
    strike(audio, 659, 0, 0.35, 0.16, "sine");
    strike(audio, 880, 0.12, 0.5, 0.16, "sine");
  },
  end: (audio) => {
    [523, 659, 784, 1047].forEach((pitch, k) => strike(audio, pitch, k * 0.14, 0.6, 0.16, "sine"));
  },
};

export function play(sound: Sound): void {
  const audio = voice();
  if (audio) sounds[sound](audio);
}
