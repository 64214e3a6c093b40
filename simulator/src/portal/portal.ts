import { downSection } from '@farlink/gateway/protocol/message.ts';
import { bundleBytes, type PortalSection, portalHash, portalSection, portalSectionName } from '@farlink/gateway/protocol/portal.ts';
import { type JsonObject, parse, parseJson } from '@farlink/gateway/protocol/shape.ts';
import { Download } from '../download.ts';
import type { GatewayCore } from '../gateway-core.ts';
import type { Sections } from '../sections.ts';
import { PortalPages, titleOf } from './portal-pages.ts';
import { readBundle } from './read-bundle.ts';

export interface PortalGateway extends Pick<GatewayCore, 'boot' | 'faults' | 'random' | 'rate' | 'wait' | 'own'> {
  readonly sections: Sections;
  readonly powered: boolean;
  publish(tail: string, body: JsonObject, how?: { readonly passing?: boolean }): void;
}

/** The portal in force. */
export interface ServedPortal {
  readonly section: Omit<PortalSection, 'url'>;
  readonly pages: PortalPages;
}

/** Requests the page without access of a portal, as a terminal does. */
type Probe = (portal: ServedPortal) => Promise<{ readonly status: number; readonly html: string }>;

/** Reason for which the previous portal stays. Its first word is one of `portalFaults`. */
class InstallError extends Error {}

const downloadErrors = { 200: 'E_FETCH', 201: 'E_FETCH', 202: 'E_MISSING', 203: 'E_CORRUPT' } as const;

/** The message without its URL, which is not part of the section. */
const storedDoc = ({ url: _, ...doc }: JsonObject): JsonObject => doc;

/** Portal of a gateway: downloads a bundle, checks it, switches to it, and returns to the previous one if its own page fails. */
export class Portal {
  readonly #gateway: PortalGateway;
  readonly #probe: Probe;
  #served: ServedPortal | undefined;
  #working: { readonly rev: number; readonly boot: string; readonly download: Download | undefined } | undefined;

  constructor(gateway: PortalGateway, probe: Probe) {
    this.#gateway = gateway;
    this.#probe = probe;
  }

  get served(): ServedPortal | undefined {
    return this.#served;
  }

  /** Revision that is being installed. */
  get installing(): number | undefined {
    return this.#working?.rev;
  }

  /** Section `portal` of the console. */
  async receive(body: string) {
    const parsed = parseJson(downSection, body);
    if ('reason' in parsed) return;
    const { rev, h, doc } = parsed.value;
    const current = this.#gateway.sections.get(portalSectionName);
    // An older revision, or a repeated message while the installation runs.
    if ((current?.rev ?? 0) > rev || (this.#working?.rev ?? 0) >= rev) return;
    if (portalHash(doc) !== h) return this.#fail(rev, 'E_HASH the document does not match its hash');
    this.#working?.download?.stop();
    if (Object.keys(storedDoc(doc)).length === 0) return this.#accept(rev, h, doc, undefined);
    const section = parse(portalSection, doc);
    if ('reason' in section) return this.#fail(rev, `E_SECTION ${section.reason}`);
    await this.#install(rev, h, doc, section.value);
  }

  async #install(rev: number, h: string, doc: JsonObject, section: PortalSection) {
    const { boot } = this.#gateway;
    const isOver = () => this.#gateway.boot !== boot || this.#working?.rev !== rev;
    this.#working = { rev, boot, download: undefined };
    try {
      const pages = this.#served?.section.h === section.h ? this.#served.pages : await this.#load(rev, boot, section);
      const next = { section, pages };
      if (!isOver()) await this.#switch(rev, h, doc, next, isOver);
    } catch (error) {
      const reason = error instanceof InstallError ? error.message : `E_UNPACK ${error instanceof Error ? error.message : String(error)}`;
      if (!isOver()) this.#fail(rev, reason);
    } finally {
      if (this.#working?.rev === rev) this.#working = undefined;
    }
  }

  async #load(rev: number, boot: string, { url, n, h }: PortalSection): Promise<PortalPages> {
    const gateway = this.#gateway;
    if (url === undefined) throw new InstallError('E_MISSING no url');
    if (n > bundleBytes) throw new InstallError('E_UNPACK too large');
    const onProgress = (pct: number, isPaused: boolean) => this.#report(rev, pct, isPaused ? 2 : 1);
    const download = new Download(gateway, { url, size: n, sha256: h }, onProgress, { whole: true });
    this.#working = { rev, boot, download };
    const { code, err = '' } = await download.run();
    if (code !== 100) throw new InstallError(`${downloadErrors[code]} ${err}`);
    if (gateway.faults.portal === 'corrupt') throw new InstallError('E_CORRUPT another SHA-256');
    this.#report(rev, 100, 100);
    await gateway.wait(2);
    if (gateway.faults.portal === 'unpack') throw new InstallError('E_UNPACK manifest.json: damaged');
    return new PortalPages(readBundle(download.body));
  }

  /** The new portal serves before its page is probed, so the probe sees what a terminal sees. */
  async #switch(rev: number, h: string, doc: JsonObject, next: ServedPortal, isOver: () => boolean) {
    const before = this.#served;
    this.#served = next;
    try {
      const title = next.pages.title('zh');
      const { status, html } = await this.#probe(next);
      const isFaulty = this.#gateway.faults.portal === 'probe';
      if (isFaulty || status !== 200 || titleOf(html) !== title)
        throw new InstallError(`E_PROBE own page: HTTP ${isFaulty ? 500 : status}`);
      if (!isOver()) return this.#accept(rev, h, doc, next);
    } catch (error) {
      this.#served = before;
      throw error instanceof InstallError ? error : new InstallError(`E_PROBE ${error instanceof Error ? error.message : String(error)}`);
    }
    this.#served = before;
  }

  #report(rev: number, pct: number, code: 1 | 2 | 100) {
    this.#gateway.publish(`cfg/${portalSectionName}`, { rev, pct, code }, { passing: true });
  }

  #accept(rev: number, h: string, doc: JsonObject, served: ServedPortal | undefined) {
    this.#served = served;
    this.#gateway.sections.replace(new Map([[portalSectionName, { rev, hash: h, doc: storedDoc(doc), local: false }]]));
    this.#gateway.publish(`cfg/${portalSectionName}`, { rev, ok: true, h });
  }

  #fail(rev: number, err: string) {
    const section = this.#gateway.sections.get(portalSectionName);
    this.#gateway.publish(`cfg/${portalSectionName}`, { rev, ok: false, err: err.slice(0, 500), ...(section && { act: section.rev }) });
  }

  /** The link or the power changed. A reboot ends the installation; the console sends the section again. */
  disturb() {
    const { download, boot } = this.#working ?? {};
    if (boot !== undefined && (boot !== this.#gateway.boot || !this.#gateway.powered)) {
      this.#working = undefined;
      download?.stop();
    } else download?.disturb();
  }
}
