import { linkName } from '@farlink/contract/device/link-name.ts';
import type { TagState } from '@farlink/contract/kit/field.ts';
import { networkOf } from '@farlink/gateway/protocol/link.ts';
import type { Db } from '../../kit/deps.ts';

/** By network and state. */
export type LinkColors = ReadonlyMap<string, string>;

/** Fifteen rows that everybody shares. */
export const readLinkColors = async (db: Db): Promise<LinkColors> => {
  const rows = await db.selectFrom('wan_color').select(['network', 'link_state', 'color']).execute();
  return new Map(rows.map((row) => [`${row.network} ${row.link_state}`, row.color]));
};

interface Raw {
  readonly online_state: 0 | 1;
  readonly current_link: string | null;
  readonly links: unknown;
  readonly lan: unknown;
  readonly containers: unknown;
}

interface DeviceTags {
  readonly current_link: string | null;
  readonly wan_links: readonly TagState[] | null;
  readonly lan_status: readonly TagState[] | null;
  readonly docker_info: string | null;
}

const states = ['off', 'on', 'abnormal'] as const;
const stateOf = (code: unknown) => states[Number(code)] ?? 'off';
const codeIn = (link: unknown) => (typeof link === 'object' && link !== null && 's' in link ? link.s : 0);

/** Whoever is away has no link, whatever it last said. */
const linksOf = ({ online_state, links }: Raw, colors: LinkColors): TagState[] | null => {
  if (typeof links !== 'object' || links === null) return null;
  return Object.entries(links)
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([link, linkState]) => {
      const state = online_state === 1 ? stateOf(codeIn(linkState)) : 'off';
      return { name: linkName(link), state, color: colors.get(`${networkOf(link)} ${state}`) };
    });
};

const portsOf = ({ online_state, lan }: Raw): TagState[] | null =>
  online_state === 1 && Array.isArray(lan) ? lan.map((code, i) => ({ name: `LAN${i + 1}`, state: stateOf(code) })) : null;

/** Normal, abnormal, or neither. */
const marks: Readonly<Record<number, string>> = { 1: '✓', 2: '✗' };

const containersOf = ({ containers }: Raw): string | null => {
  if (!Array.isArray(containers) || containers.length === 0) return null;
  return containers.map(([name, status]: readonly unknown[]) => `${String(name)} ${marks[Number(status)] ?? '○'}`).join(', ');
};

/** What a gateway is made of, as the list shows it: the same in every language, because many readers are told at once. */
export const deviceTagsOf = (row: Raw, colors: LinkColors): DeviceTags => ({
  current_link: row.online_state === 1 && row.current_link !== null ? linkName(row.current_link) : null,
  wan_links: linksOf(row, colors),
  lan_status: portsOf(row),
  docker_info: containersOf(row),
});

/** A row as it may be answered. */
export const withDeviceTags = <R extends Raw>({ links, lan, containers, current_link, ...row }: R, colors: LinkColors) => ({
  ...row,
  ...deviceTagsOf({ online_state: row.online_state, current_link, links, lan, containers }, colors),
});

export const isRaw = (row: object): row is Raw =>
  'online_state' in row && 'current_link' in row && 'links' in row && 'lan' in row && 'containers' in row;
