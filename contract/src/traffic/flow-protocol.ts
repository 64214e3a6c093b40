import type { Text } from '../kit/text.ts';
import { protocolMap } from '../package/protocol-map.ts';

interface Known {
  readonly name: Text;
  readonly category: Text;
}

const known: ReadonlyMap<string, Known> = new Map(
  protocolMap.flatMap(({ label, protocols }) =>
    protocols.map(([id, zh, en]) => [String(id), { name: [zh, en], category: label }] as const),
  ),
);

/** Application before carrier: `91.124` is YouTube over TLS; `91.0` has only a carrier. */
const idsOf = (flow: string): readonly string[] => {
  const [carrier = '', application] = flow.split('.');
  return application === undefined || application === '0' ? [carrier] : [application, carrier];
};

/** Name and category of the protocol id of a flow. An unknown application shows as its number, without a category. */
export const flowProtocol = (flow: string): { readonly name: Text; readonly category: Text | undefined } => {
  const found = known.get(idsOf(flow)[0] ?? '');
  return found ?? { name: [flow, flow], category: undefined };
};

const foldCase = (text: string) => text.toLowerCase();

/** Protocols whose id is the text, or whose name contains it. */
export const protocolsLike = (text: string): readonly string[] => {
  const wanted = foldCase(text);
  return [...known].flatMap(([id, { name }]) => (id === text || name.some((part) => foldCase(part).includes(wanted)) ? [id] : []));
};

/** All known protocols, for names in SQL. */
export const knownProtocols: readonly (Known & { readonly id: string })[] = [...known].map(([id, entry]) => ({ id, ...entry }));
