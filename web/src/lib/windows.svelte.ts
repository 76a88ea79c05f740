/** Which windows are open over the table. */
export class Windows {
  help = $state(false);
  log = $state(false);
  share = $state(false);
  resign = $state(false);
  cancel = $state(false);
  ending = $state(false);
}
