/** What players are called. */
import { t } from "./i18n.svelte";
import type { GameBrief, GameShown, PlayerShown } from "./messages";

export function playerName(player: PlayerShown | undefined): string {
  return player?.kind === "computer" ? t(`level.${player.level}`) : (player?.name ?? "");
}

export function nameOf(shown: GameShown, seat: number): string {
  return playerName(shown.players[seat]);
}

/** Who plays, in a list of games. */
export function namesAt(game: GameBrief): string {
  return game.players.map((player) => playerName(player) || t("start.friend")).join(" – ");
}
