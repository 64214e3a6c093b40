import type { Text } from '@farlink/contract/kit/text.ts';
import { chained, type GatewayFields } from './field.ts';
import type { PageRule } from './problem.ts';

/** What a person does on a page: keep values, keep rows, look, read back, do something, be led, type. */
export type PageKind = 'form' | 'list' | 'status' | 'log' | 'action' | 'wizard' | 'terminal';

export interface PageHead {
  readonly key: string;
  readonly title: Text;
  readonly summary: Text;
  readonly kind: PageKind;
  /** Not in the tree; opens by its address for whoever has its key. */
  readonly hidden?: boolean;
  /** Opens this page instead, for whoever may open both. */
  readonly quick?: string;
}

export interface GatewayPage extends PageHead {
  /** Of the form, of a row, of a deed; the columns of a status or log. */
  readonly fields: GatewayFields;
  /** As a list: by which its rows are known, and how many there may be. */
  readonly keyField?: string;
  readonly maxRows?: number;
  /** What one field alone cannot say. */
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
  ...{ key, kind, rules: [] },
  ...more,
  fields: chained(fields),
});

const simple = (kind: PageKind) => (key: string, body: Body) => page(kind, key, body);

/** Values that the gateway holds: one section of its configuration. */
export const form = simple('form');
/** A deed, asked for with these values; its output streams, its end is kept. */
export const action = simple('action');
export const wizard = simple('wizard');
export const terminal = simple('terminal');
/** What the gateway tells when it is asked; the fields are columns. */
export const status = simple('status');
export const log = simple('log');

interface ListBody extends Body {
  readonly key: string;
  readonly most: number;
}
/** Rows that the gateway holds: one section of its configuration. */
export const list = (key: string, { key: keyField, most, ...body }: ListBody) => page('list', key, { ...body, keyField, maxRows: most });

/** A short way to another page. */
export const quick = (key: string, body: Head & { readonly opens: string }) =>
  page('action', key, { title: body.title, summary: body.summary, fields: {}, quick: body.opens });

export interface GatewayGroup {
  readonly key: string;
  readonly title: Text;
  readonly pages: readonly GatewayPage[];
}

export const group = (key: string, title: Text, ...pages: readonly GatewayPage[]): GatewayGroup => ({ key, title, pages });

/** The key under which a role grants a page. */
export const gatewayPermission = ({ key }: { readonly key: string }) => `gw_${key}`;

/** Pages whose content is part of the configuration: their key names its section. */
export const isSection = ({ kind }: PageHead) => kind === 'form' || kind === 'list';
