/** Short sounds of glazed clay, made here: struck partials that die away, and noise for what breaks. */
import { settings } from "./settings.svelte";

export type Sound =
  "take" | "place" | "plate" | "chip" | "break" | "special" | "turn" | "round" | "win" | "end" | "hurry";

let context: AudioContext | null = null;
let noise: AudioBuffer | null = null;

/** The audio context, once the reader has pressed something; null if sound is off or not available. */
function audioContext(): AudioContext | null {
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

/** What dies away from a loudness, beginning some seconds from now. */
function fading(audio: AudioContext, at: number, length: number, loud: number): GainNode {
  const gain = audio.createGain();
  const start = audio.currentTime + at;
  gain.gain.setValueAtTime(Math.max(0.0001, loud * settings.volume), start);
  gain.gain.exponentialRampToValueAtTime(0.0001, start + length);
  gain.connect(audio.destination);
  return gain;
}

function tone(audio: AudioContext, pitch: number, at: number, length: number, loud: number): void {
  const source = audio.createOscillator();
  source.frequency.value = pitch;
  source.connect(fading(audio, at, length, loud));
  source.start(audio.currentTime + at);
  source.stop(audio.currentTime + at + length);
}

/** A burst of noise around a pitch: the click of a glaze, or shards. */
function hiss(audio: AudioContext, pitch: number, at: number, length: number, loud: number): void {
  if (!noise) {
    noise = audio.createBuffer(1, audio.sampleRate / 2, audio.sampleRate);
    const samples = noise.getChannelData(0);
    for (let k = 0; k < samples.length; k++) samples[k] = 2 * Math.random() - 1;
  }
  const source = audio.createBufferSource();
  const band = audio.createBiquadFilter();
  source.buffer = noise;
  band.type = "bandpass";
  band.frequency.value = pitch;
  source.connect(band).connect(fading(audio, at, length, loud));
  source.start(audio.currentTime + at, Math.random() * 0.3, length);
}

/** Partials of a small struck slab: not those of a string, so that it sounds of clay and not of a bell. */
const SLAB: readonly [ratio: number, loud: number, length: number][] = [
  [1, 1, 1],
  [2.57, 0.5, 0.6],
  [4.23, 0.28, 0.4],
];

function clink(audio: AudioContext, pitch: number, at: number, length: number, loud: number): void {
  const free = pitch * (0.97 + 0.06 * Math.random());
  for (const [ratio, share, longer] of SLAB) tone(audio, free * ratio, at, length * longer, loud * share);
  hiss(audio, 5200, at, 0.012, loud * 0.6);
}

/** Notes one after the other, each with its octave. */
function chime(audio: AudioContext, pitches: readonly number[], apart: number, length: number, loud: number): void {
  pitches.forEach((pitch, k) => {
    tone(audio, pitch, k * apart, length, loud);
    tone(audio, 2 * pitch, k * apart, length * 0.5, loud * 0.3);
  });
}

const sounds: Record<Sound, (audio: AudioContext) => void> = {
  take: (audio) => {
    clink(audio, 1850, 0, 0.07, 0.1);
    clink(audio, 2150, 0.055, 0.06, 0.07);
  },
  place: (audio) => {
    clink(audio, 980, 0, 0.11, 0.18);
    tone(audio, 210, 0, 0.07, 0.22);
  },
  plate: (audio) => {
    tone(audio, 150, 0, 0.2, 0.36);
    clink(audio, 620, 0.004, 0.12, 0.12);
  },
  chip: (audio) => clink(audio, 2900, 0, 0.05, 0.08),
  break: (audio) => {
    hiss(audio, 2600, 0, 0.16, 0.4);
    for (let k = 0; k < 4; k++) clink(audio, 1300 + 420 * k, 0.02 + 0.035 * k, 0.06, 0.07);
  },
  special: (audio) => {
    clink(audio, 1180, 0, 0.12, 0.14);
    chime(audio, [1175, 1568, 2093], 0.07, 0.4, 0.09);
  },
  turn: (audio) => chime(audio, [659, 880], 0.12, 0.45, 0.13),
  round: (audio) => chime(audio, [587, 494, 392], 0.13, 0.5, 0.11),
  win: (audio) => chime(audio, [523, 659, 784, 1047, 1319], 0.12, 0.7, 0.13),
  hurry: (audio) => chime(audio, [988, 988, 988], 0.16, 0.18, 0.14),
  end: (audio) => chime(audio, [659, 523, 440], 0.16, 0.6, 0.12),
};

export function play(sound: Sound): void {
  const audio = audioContext();
  if (audio) sounds[sound](audio);
}

/** Switches the sound off or on; what is on is heard. */
export function toggleSound(): void {
  settings.sound = !settings.sound;
  play("chip");
}
