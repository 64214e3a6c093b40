import type { Fields, Input } from './field.ts';
import type { Resource, RowOf } from './resource.ts';
import type { Text } from './text.ts';
import type { Values } from './values.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** Kind of a call. `auth` calls manage transactions and the operator log themselves; a `stream` stays open until the client closes it. */
export type CallKind =
  | 'list'
  | 'detail'
  | 'option'
  | 'tree'
  | 'file'
  | 'stream'
  | 'create'
  | 'update'
  | 'delete'
  | 'command'
  | 'export'
  | 'auth';

export type Module =
  | 'vno'
  | 'user'
  | 'device'
  | 'file'
  | 'firmware'
  | 'market'
  | 'finance'
  | 'package'
  | 'flow'
  | 'card'
  | 'permission'
  | 'feedback'
  | 'advanced'
  | 'audit'
  | 'log'
  | 'auth';

/** Marks a response whose type is declared only in TypeScript (trees, maps). */
export interface Shape<T> {
  readonly of?: T;
}
export const shape = <T>(): Shape<T> => ({});

type Access = 'public' | 'session' | readonly string[];

export interface Endpoint {
  readonly method: Method;
  /** Below /agt/v1/; `{id}` is a whole number. */
  readonly path: string;
  readonly kind: CallKind;
  readonly module: Module;
  /** Who can call: anyone, any session, or a session with one of these pages. */
  readonly access: Access;
  /** Agent modes in which the call does not exist. */
  readonly hiddenModes?: readonly number[];
  readonly summary: Text;
  readonly input?: Fields;
  /** Missing fields stay unchanged. */
  readonly partial?: boolean;
  /** The request has the version of the row; a stale version is refused. It may be the whole row that was read. */
  readonly versioned?: boolean;
  /** The response, as fields or as a type. */
  readonly output?: Fields;
  readonly shape?: Shape<unknown>;
  readonly resource?: Resource;
}

type Ids<P extends string> = P extends `${string}{${infer K}}${infer Rest}` ? { readonly [N in K]: number } & Ids<Rest> : unknown;

type Versioned<E> = E extends { readonly versioned: true } ? { readonly version: number } : unknown;
type Body<E> = E extends { readonly input: infer I extends Fields }
  ? E extends { readonly partial: true }
    ? Partial<Input<I>>
    : Input<I>
  : unknown;
type Paging<E> = E extends { readonly kind: 'list' }
  ? {
      readonly page: number;
      readonly limit: number;
      readonly orderby?: string | undefined;
      readonly count?: 'exact' | undefined;
      /** Sums come with the rows, or `later` by a separate call that requests `only` sums. */
      readonly sums?: 'later' | 'only' | undefined;
      readonly filters: Values;
    }
  : unknown;

export type InputOf<E> = (E extends { readonly path: infer P extends string } ? Ids<P> : unknown) & Body<E> & Versioned<E> & Paging<E>;

export interface Listing<Row> {
  readonly total: number;
  /** The total is capped; request count=exact for the exact number. */
  readonly capped?: boolean;
  /** Sums of the columns in `sums` of the resource, over all filtered rows. */
  readonly sums?: Readonly<Record<string, string>>;
  /** Sums requested `later` would read very many rows: request `only` sums if the reader wants them. */
  readonly sums_on_request?: boolean;
  /** All data that arrived before this time is included; null before the first rollup. Only lists that a job computes have it. */
  readonly as_of?: number | null;
  readonly list: readonly Row[];
}

export type OutputOf<E> = E extends { readonly kind: 'list'; readonly resource: infer R }
  ? Listing<RowOf<R>>
  : E extends { readonly output: infer O extends Fields }
    ? Input<O>
    : E extends { readonly shape: Shape<infer T> }
      ? T
      : // biome-ignore lint/suspicious/noConfusingVoidType: a verb without a response returns nothing
        void;

/** Declares a call once: the server binds a handler, the console calls it, the documentation lists it. */
export const endpoint = <const E extends Endpoint>(e: E): E => e;

const methods: Readonly<Record<CallKind, Method>> = {
  list: 'GET',
  detail: 'GET',
  option: 'GET',
  tree: 'GET',
  file: 'GET',
  stream: 'GET',
  create: 'POST',
  command: 'POST',
  export: 'POST',
  auth: 'POST',
  update: 'PUT',
  delete: 'DELETE',
};

type Call = Omit<Endpoint, 'method' | 'module' | 'access'> & Partial<Endpoint>;
type Calls<C, A> = {
  readonly [N in keyof C]: C[N] & {
    readonly method: Method;
    readonly module: Module;
    readonly access: C[N] extends { readonly access: infer Own } ? Own : A;
  };
};

/** Declares the calls of a resource. Each has this module, this access and the method of its kind, unless it names another. */
export const calls = <const A extends Access, const C extends Readonly<Record<string, Call>>>(module: Module, access: A, declared: C) =>
  Object.fromEntries(
    Object.entries(declared).map(([name, call]) => [name, { method: methods[call.kind], module, access, ...call }]),
  ) as Calls<C, A>;

/** `get_agent`, `post_agent/login`: the key under which a role grants the call (spec §6). */
export const operateKey = (e: Pick<Endpoint, 'method' | 'path'>) => `${e.method.toLowerCase()}_${e.path.replace(/\/\{\w+\}/g, '')}`;

/** `PUT agent/{id}`: unique name of a call, stored with its operator-log lines. */
export const callName = ({ method, path }: Pick<Endpoint, 'method' | 'path'>) => `${method} ${path}`;

export const isWrite = (e: Pick<Endpoint, 'method'>) => e.method !== 'GET';

/** Whether an operate key names a read call. */
export const isReadKey = (key: string) => key.startsWith('get_');
