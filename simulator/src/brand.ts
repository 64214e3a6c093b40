import { downSection } from '@farlink/gateway/protocol/message.ts';
import { type JsonObject, parseJson } from '@farlink/gateway/protocol/shape.ts';
import { fetchFragment, PermanentError, sha256Of } from './config/fetch-fragment.ts';
import type { TransferGateway } from './gateway-core.ts';
import type { Sections } from './sections.ts';

/** Section with the name and the logo of the operator. */
export const brandSection = 'brand';

interface Logo {
  readonly sha256: string;
  readonly body: Buffer;
}

type BrandGateway = Pick<TransferGateway, 'faults' | 'rate' | 'wait' | 'own'> & { readonly sections: Sections };

const logoOf = (doc: JsonObject): { readonly sha256: string; readonly size: number } | undefined => {
  const { logo } = doc;
  if (typeof logo !== 'object' || logo === null || !('sha256' in logo) || !('size' in logo)) return undefined;
  return { sha256: String(logo.sha256), size: Number(logo.size) };
};

const isPicture = (body: Buffer) => ['89504e47', 'ffd8ffe0', 'ffd8ffdb'].includes(body.toString('hex', 0, 4));

/** Brand that the gateway shows on its own pages. A new one counts only when its logo is complete. */
export class Brand {
  readonly #gateway: BrandGateway;
  #logo: Logo | undefined;

  constructor(gateway: BrandGateway) {
    this.#gateway = gateway;
  }

  get name(): string | undefined {
    const { name } = this.#gateway.sections.doc(brandSection);
    return typeof name === 'string' ? name : undefined;
  }

  get logo(): Buffer | undefined {
    return logoOf(this.#gateway.sections.doc(brandSection))?.sha256 === this.#logo?.sha256 ? this.#logo?.body : undefined;
  }

  /** The reply; undefined: the console sends the section again, with a new URL. */
  async apply(body: string): Promise<JsonObject | undefined> {
    const parsed = parseJson(downSection, body);
    if ('reason' in parsed) return undefined;
    const { rev, doc, f = {} } = parsed.value;
    const logoFile = logoOf(doc);
    let logo = logoFile && this.#logo?.sha256 === logoFile.sha256 ? this.#logo : undefined;
    try {
      if (logoFile && !logo) logo = await this.#fetch(logoFile, f[logoFile.sha256]);
    } catch (error) {
      if (error instanceof PermanentError) return { rev, ok: false, err: `E_FILE ${brandSection}.logo: ${error.message}` };
      return undefined;
    }
    const reply = this.#gateway.sections.apply(brandSection, body, this.#gateway.faults.reject);
    if (reply?.ok === true) this.#logo = logo;
    return reply;
  }

  async #fetch({ sha256, size }: { readonly sha256: string; readonly size: number }, url: unknown): Promise<Logo> {
    if (typeof url !== 'string') throw new PermanentError('no URL');
    const body = await fetchFragment(this.#gateway, url, size);
    this.#gateway.own.add('file', 0, body.length);
    const isBroken = this.#gateway.faults.file === 'corrupt';
    if (isBroken || sha256Of(body) !== sha256) throw new PermanentError('the file does not match its hash');
    if (!isPicture(body)) throw new PermanentError('not a picture');
    return { sha256, body };
  }
}
