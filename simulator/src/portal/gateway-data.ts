import type { Lang } from '@farlink/contract/kit/text.ts';
import { flag, int, isObject, list, obj, parse, record, str } from '@farlink/gateway/protocol/shape.ts';
import type { PortalData } from '@farlink/portal/view.ts';
import type { ServedPortal } from './portal.ts';

/** Data of the console that a gateway shows on its own pages. */
export interface GatewayData {
  readonly shown: Partial<PortalData>;
  /** Names of packages by the id of the holding. */
  readonly names: ReadonlyMap<number, string>;
  /** Reminders of packages by the id of the holding: the text, and the percentage of use from which it is shown. */
  readonly reminders: ReadonlyMap<number, Reminder>;
}

interface Reminder {
  readonly ratio: number;
  readonly text: string;
}

export const noGatewayData: GatewayData = { shown: {}, names: new Map(), reminders: new Map() };

const line = str(2000);
const lists = obj(
  {},
  {
    packages: list(obj({ id: line, name: line, price: line, detail: line }), 100),
    notices: list(obj({ title: line, content: str(20_000), at: line }), 50),
    canRegister: flag,
    logo: str(64, /^logo\/[0-9a-f]{32}\.(png|jpg)$/),
    names: record(/^\d{1,16}$/, line, 10_000),
    reminders: list(obj({ ratio: int(1, 100), text: line, h: list(int(1, Number.MAX_SAFE_INTEGER), 10_000) }), 10_000),
  },
);

const maxBytes = 1024 * 1024;
/** Seconds for which the data is shown without asking again. */
const validS = 60;
const timeoutMs = 3000;

/** Request headers of the gateway itself. */
export type SignFor = (portal: ServedPortal) => Readonly<Record<string, string>>;

const readData = (raw: unknown): GatewayData | undefined => {
  const parsed = parse(lists, isObject(raw) && isObject(raw.data) ? raw.data : raw);
  if ('reason' in parsed) return undefined;
  const { names = {}, reminders = [], ...shown } = parsed.value;
  return {
    shown,
    names: new Map(Object.entries(names).map(([id, name]) => [Number(id), name])),
    reminders: new Map(reminders.flatMap(({ ratio, text, h }) => h.map((id) => [id, { ratio, text }] as const))),
  };
};

/** `gateway-data` of the hosted portal, kept for a minute. An older copy serves while the console does not answer. */
export class ConsoleData {
  readonly #portal: () => ServedPortal | undefined;
  readonly #sign: SignFor;
  readonly #cache = new Map<Lang, { readonly host: string; readonly at: number; readonly data: GatewayData }>();

  constructor(portal: () => ServedPortal | undefined, sign: SignFor) {
    this.#portal = portal;
    this.#sign = sign;
  }

  cached(lang: Lang): GatewayData {
    const cached = this.#cache.get(lang);
    return cached && cached.host === this.#portal()?.section.host ? cached.data : noGatewayData;
  }

  async of(lang: Lang, isReachable: boolean): Promise<GatewayData> {
    const portal = this.#portal();
    const cached = this.#cache.get(lang);
    const isValid = cached !== undefined && cached.host === portal?.section.host && performance.now() / 1000 - cached.at < validS;
    if (!portal || isValid || !isReachable) return this.cached(lang);
    const data = (await this.#fetch(portal, lang)) ?? this.cached(lang);
    // A failed request is not repeated for each page.
    this.#cache.set(lang, { host: portal.section.host, at: performance.now() / 1000, data });
    return data;
  }

  async #fetch(portal: ServedPortal, lang: Lang): Promise<GatewayData | undefined> {
    try {
      const url = new URL(`gateway-data?lang=${lang}`, portal.section.host);
      const response = await fetch(url, { headers: this.#sign(portal), redirect: 'error', signal: AbortSignal.timeout(timeoutMs) });
      if (!response.ok || Number(response.headers.get('content-length') ?? 0) > maxBytes) return undefined;
      const text = await response.text();
      return text.length > maxBytes ? undefined : readData(JSON.parse(text));
    } catch {
      return undefined;
    }
  }
}
