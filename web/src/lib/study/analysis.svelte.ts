/** The best moves of the position that a study shows, as they deepen. */
import { api } from "../api";
import type { StudyAdvice } from "../messages";
import { refusalWords } from "../refusals";
import type { Study } from "./study.svelte";
import type { StudyNode } from "./tree";

/** How many simulations are asked for, one budget after the other. */
const BUDGETS = [500, 2000, 8000, 32000] as const;

export class Analysis {
  isOn = $state(true);
  isThinking = $state(false);
  problem = $state("");
  private found = $state.raw<{ node: StudyNode; advice: StudyAdvice } | null>(null);
  /** What was found where. */
  private readonly known = new WeakMap<StudyNode, StudyAdvice>();
  /** The node that is being looked into. */
  private looking: StudyNode | null = null;

  constructor(private readonly study: Study) {}

  /** What is known of the position that is shown. */
  get advice(): StudyAdvice | null {
    return this.found?.node === this.study.here ? this.found.advice : null;
  }

  /** Looks into the position that is shown, deeper and deeper, as long as it is. */
  async look(): Promise<void> {
    const node = this.study.node;
    const before = this.known.get(node);
    if (before) this.found = { node, advice: before };
    if (!this.isOn || this.looking === node) return;
    this.looking = node;
    this.problem = "";
    this.isThinking = true;
    const isWanted = (): boolean => this.isOn && this.looking === node && this.study.node === node;
    try {
      for (const sims of BUDGETS) {
        const advice = this.known.get(node);
        if (!isWanted() || this.study.shown?.status !== "playing") break;
        if (advice && (advice.exact || advice.sims >= sims)) continue;
        const deeper = await api.advice({ ...this.study.asked, sims });
        this.known.set(node, deeper);
        if (this.study.node === node) this.found = { node, advice: deeper };
      }
    } catch (refusal) {
      if (isWanted()) this.problem = refusalWords(refusal);
    } finally {
      if (this.looking === node) {
        this.looking = null;
        this.isThinking = false;
      }
    }
  }
}
