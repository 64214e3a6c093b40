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

/** Application before master protocol: `91.124` is YouTube over TLS; `91.0` has only a master protocol. */
const idsOf = (flow: string): readonly string[] => {
  const [masterProtocol = '', application] = flow.split('.');
  return application === undefined || application === '0' ? [masterProtocol] : [application, masterProtocol];
};

/** Name and category of the protocol id of a flow. An unknown application shows as its number, without a category. */
export const flowProtocol = (flow: string): { readonly name: Text; readonly category: Text | undefined } => {
  const found = known.get(idsOf(flow)[0] ?? '');
  return found ?? { name: [flow, flow], category: undefined };
};

const foldCase = (text: string) => text.toLowerCase();

/** Protocols whose id is the text, or whose name contains it. */
export const protocolsLike = (text: string): readonly string[] => {
  const searched = foldCase(text);
  return [...known].flatMap(([id, { name }]) =>
    id === text || name.some((candidate) => foldCase(candidate).includes(searched)) ? [id] : [],
  );
};

/** All known protocols, for names in SQL. */
export const knownProtocols: readonly (Known & { readonly id: string })[] = [...known].map(([id, entry]) => ({ id, ...entry }));
