/** Entering a game: exchanges the secret of a link for a cookie, asks an invited friend for a name, loads the game. */
import { api } from "./api";
import { keepGame, keptGame } from "./games";
import { t } from "./i18n.svelte";
import type { Entered, InvitationShown } from "./messages";
import { refusalWords } from "./refusals";
import { forgetSecret } from "./router.svelte";
import { settings } from "./settings.svelte";

export class Arrival {
  /** The invitation, until the player has given a name. */
  invitation = $state.raw<InvitationShown | null>(null);
  name = $state(settings.name || t("start.second"));
  /** Why the game cannot be shown. */
  problem = $state("");
  /** Why the player cannot join under this name. */
  nameProblem = $state("");
  isJoining = $state(false);

  constructor(
    private readonly game: string,
    private readonly secret: string,
    private readonly load: () => Promise<void>,
  ) {}

  /** Enters with the secret of the link, unless this browser has done so before, and loads the game. */
  async enter(): Promise<void> {
    try {
      if (this.secret && keptGame(this.game)?.via !== this.secret) {
        const entered = await api.enter(this.game, this.secret);
        if (entered.invitation) {
          this.invitation = entered.invitation;
          return;
        }
        this.remember(entered);
      }
      await this.load();
      if (!keptGame(this.game)) keepGame({ game: this.game, at: Date.now() });
    } catch (refusal) {
      this.problem = refusalWords(refusal);
    }
  }

  /** Takes the seat that the player was invited to. */
  async join(): Promise<void> {
    if (this.isJoining) return;
    this.isJoining = true;
    this.nameProblem = "";
    const name = this.name.trim();
    try {
      const entered = await api.enter(this.game, this.secret, name || t("start.second"));
      settings.name = name;
      this.remember(entered);
      this.invitation = null;
      await this.load();
    } catch (refusal) {
      if (this.invitation) this.nameProblem = refusalWords(refusal);
      else this.problem = refusalWords(refusal);
    } finally {
      this.isJoining = false;
    }
  }

  private remember({ you, secret = this.secret }: Entered): void {
    const opens = you.length ? { own: secret } : { watch: secret };
    keepGame({ game: this.game, at: Date.now(), via: this.secret, ...opens });
    forgetSecret();
  }
}
