/** The animations of one event: they end by themselves, or all at once. */
export class Scene {
  private running = new Set<Animation>();
  private hasEnded = false;

  /** Resolves when the animation is over. */
  async run(one: Element, frames: Keyframe[], options: KeyframeAnimationOptions): Promise<void> {
    const animation = one.animate(frames, { fill: "backwards", ...options });
    this.running.add(animation);
    if (this.hasEnded) animation.finish();
    await animation.finished.catch(() => undefined);
    this.running.delete(animation);
  }

  /** Something that is on the page for as long as it moves. */
  async fly(one: HTMLElement, frames: Keyframe[], options: KeyframeAnimationOptions): Promise<void> {
    document.body.append(one);
    await this.run(one, frames, { fill: "both", ...options });
    one.remove();
  }

  /** Nothing moves for a while. */
  rest(duration: number): Promise<void> {
    return this.run(document.body, [], { duration });
  }

  end(): void {
    this.hasEnded = true;
    for (const animation of this.running) animation.finish();
  }
}
