import type { KeyObject } from 'node:crypto';
import { isRecord, type Values } from '@farlink/contract/kit/values.ts';
import { type AcmeReply, acmeRequest } from './acme-request.ts';
import { signJws } from './jws.ts';

/** A refusal of the authority (RFC 7807). Other errors are faults of the network. */
export class AcmeError extends Error {
  readonly type: string;
  readonly status: number;
  constructor(type: string, status: number, detail: string) {
    super(detail || type || `HTTP ${status}`);
    this.type = type.replace('urn:ietf:params:acme:error:', '');
    this.status = status;
  }
}

export interface AcmeOrder {
  readonly url: string;
  readonly status: string;
  readonly authorizations: readonly string[];
  readonly finalize: string;
  readonly certificate: string | undefined;
  readonly error: string | undefined;
}

export interface AcmeAuthorization {
  readonly status: string;
  readonly challenge: { readonly url: string; readonly token: string; readonly status: string } | undefined;
  readonly error: string | undefined;
}

/** Calls of a certificate authority (RFC 8555). */
export interface AcmeClient {
  /** Creates the account of the key, or finds it. Returns its URL. */
  register(contact: string | undefined): Promise<string>;
  newOrder(domain: string): Promise<AcmeOrder>;
  readOrder(url: string): Promise<AcmeOrder>;
  readAuthorization(url: string): Promise<AcmeAuthorization>;
  /** Tells the authority that the challenge can be checked. */
  respond(challengeUrl: string): Promise<void>;
  finalize(order: AcmeOrder, request: Buffer): Promise<void>;
  /** The chain in PEM. */
  download(url: string): Promise<string>;
}

const maxNonceTries = 10;

const parsed = (text: string): Values => {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
};
const textOf = (value: unknown) => (typeof value === 'string' ? value : '');
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const detailOf = (value: unknown) => (isRecord(value) ? textOf(value.detail) || textOf(value.type) : undefined);

const errorOf = ({ status, text }: AcmeReply) => {
  const body = parsed(text);
  return new AcmeError(textOf(body.type), status, textOf(body.detail));
};

const orderOf = (url: string, text: string): AcmeOrder => {
  const body = parsed(text);
  return {
    url,
    status: textOf(body.status),
    authorizations: listOf(body.authorizations).map(textOf),
    finalize: textOf(body.finalize),
    certificate: textOf(body.certificate) || undefined,
    error: detailOf(body.error),
  };
};

const authorizationOf = (text: string): AcmeAuthorization => {
  const body = parsed(text);
  const challenges = listOf(body.challenges).filter(isRecord);
  const found = challenges.find(({ type }) => type === 'http-01');
  return {
    status: textOf(body.status),
    challenge: found && { url: textOf(found.url), token: textOf(found.token), status: textOf(found.status) },
    error: challenges.map(({ error }) => detailOf(error)).find((error) => error !== undefined),
  };
};

interface AcmeAccess {
  readonly directory: string;
  readonly ca: string | undefined;
  readonly key: KeyObject;
  /** URL of the account, once it is known. */
  readonly account?: string | undefined;
}

/** Opens the directory of an authority. Each request has a fresh nonce; one that the authority refuses is replaced. */
export const openAcme = async ({ directory, ca, key, account: known }: AcmeAccess): Promise<AcmeClient> => {
  const reply = await acmeRequest(directory, { method: 'GET', ca });
  if (reply.status !== 200) throw errorOf(reply);
  const urls = parsed(reply.text);
  let nonce: string | undefined;
  let account = known;

  const takeNonce = async () => {
    const own = nonce;
    nonce = undefined;
    if (own !== undefined) return own;
    const { headers } = await acmeRequest(textOf(urls.newNonce), { method: 'HEAD', ca });
    return String(headers['replay-nonce'] ?? '');
  };
  const post = async (url: string, payload: object | undefined, isNewAccount = false): Promise<AcmeReply> => {
    for (let tries = 1; ; tries++) {
      const signed = signJws({ key, account: isNewAccount ? undefined : account, nonce: await takeNonce(), url, payload });
      const reply = await acmeRequest(url, { method: 'POST', body: signed, ca });
      if (typeof reply.headers['replay-nonce'] === 'string') nonce = reply.headers['replay-nonce'];
      if (reply.status < 400) return reply;
      const error = errorOf(reply);
      if (error.type !== 'badNonce' || tries === maxNonceTries) throw error;
    }
  };
  const located = ({ headers }: AcmeReply) => headers.location ?? '';

  return {
    register: async (contact) => {
      const about = { termsOfServiceAgreed: true, ...(contact && { contact: [`mailto:${contact}`] }) };
      account = located(await post(textOf(urls.newAccount), about, true));
      return account;
    },
    newOrder: async (domain) => {
      const reply = await post(textOf(urls.newOrder), { identifiers: [{ type: 'dns', value: domain }] });
      return orderOf(located(reply), reply.text);
    },
    readOrder: async (url) => orderOf(url, (await post(url, undefined)).text),
    readAuthorization: async (url) => authorizationOf((await post(url, undefined)).text),
    respond: async (url) => void (await post(url, {})),
    finalize: async (order, request) => void (await post(order.finalize, { csr: request.toString('base64url') })),
    download: async (url) => (await post(url, undefined)).text,
  };
};
