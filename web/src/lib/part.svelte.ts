/** A part of the catalogues that is loaded only by the screens that show it. */
import { language } from "./i18n.svelte";

type Part = Readonly<Record<string, string>>;

export class PartTexts {
  private texts = $state.raw<Part>({});

  constructor(private readonly load: (tag: string) => Promise<Part>) {}

  /** Follows the language of the page; call it inside a component. */
  follow(): void {
    $effect(() => {
      let isWanted = true;
      void this.load(language()).then((loaded) => {
        if (isWanted) this.texts = loaded;
      });
      return () => (isWanted = false);
    });
  }

  has(key: string): boolean {
    return key in this.texts;
  }

  /** A text with its places filled in; nothing while it is not there. */
  text(key: string, args: Record<string, string> = {}): string {
    return (this.texts[key] ?? "").replace(/\{(\w+)\}/g, (_, name: string) => args[name] ?? "");
  }
}
