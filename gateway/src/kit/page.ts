import type { Text } from '@farlink/contract/kit/text.ts';
import { chained, type GatewayFields } from './field.ts';
import type { PageRule } from './problem.ts';

/** Kinds of pages: stored values, stored rows, current state, history, an operation, a guided setup, a command line. */
export type PageKind = 'form' | 'list' | 'status' | 'log' | 'action' | 'wizard' | 'terminal';

export interface PageHead {
  readonly key: string;
  readonly title: Text;
  readonly summary: Text;
  readonly kind: PageKind;
  /** Not in the menu; opens by URL for roles with its permission. */
  readonly hidden?: boolean;
  /** Opens this page instead, if the role may open both. */
  readonly quick?: string;
}

export interface GatewayPage extends PageHead {
  /** Fields of the form, row or action; columns of a status or log. */
  readonly fields: GatewayFields;
  /** For a list: the key field of its rows, and the maximum number of rows. */
  readonly keyField?: string;
  readonly maxRows?: number;
  /** Rules about several fields. */
  readonly rules: readonly PageRule[];
}

interface Head {
  readonly title: Text;
  readonly summary: Text;
}
interface Body extends Head {
  readonly fields: GatewayFields;
  readonly rules?: readonly PageRule[];
  readonly hidden?: boolean;
}

const page = (kind: PageKind, key: string, { fields, ...more }: Body & Partial<GatewayPage>): GatewayPage => ({
  key,
  kind,
  rules: [],
  ...more,
  fields: chained(fields),
});

const simple = (kind: PageKind) => (key: string, body: Body) => page(kind, key, body);

/** Values stored by the gateway: one section of its configuration. */
export const form = simple('form');
/** An operation with these arguments. Its output is streamed and its result is stored. */
export const action = simple('action');
export const wizard = simple('wizard');
export const terminal = simple('terminal');
/** Rows that the gateway returns on request; the fields are columns. */
export const status = simple('status');
export const log = simple('log');

interface ListBody extends Body {
  readonly key: string;
  readonly maxRows: number;
}
/** Rows stored by the gateway: one section of its configuration. */
export const list = (key: string, { key: keyField, ...body }: ListBody) => page('list', key, { ...body, keyField });

/** A shortcut to another page. */
export const quick = (key: string, body: Head & { readonly opens: string }) =>
  page('action', key, { title: body.title, summary: body.summary, fields: {}, quick: body.opens });

export interface GatewayGroup {
  readonly key: string;
  readonly title: Text;
  readonly pages: readonly GatewayPage[];
}

export const group = (key: string, title: Text, ...pages: readonly GatewayPage[]): GatewayGroup => ({ key, title, pages });

/** Permission key of a page in a role. */
export const gatewayPermission = ({ key }: { readonly key: string }) => `gw_${key}`;

/** Pages whose content is part of the configuration; the page key is the section name. */
export const isSection = ({ kind }: PageHead) => kind === 'form' || kind === 'list';
