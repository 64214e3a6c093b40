import { linkName } from '@farlink/contract/device/link-name.ts';
import type { TagState } from '@farlink/contract/kit/field.ts';
import { networkOf } from '@farlink/contract/protocol/network.ts';
import type { Db } from '../../kit/deps.ts';

/** Colors by network and link state. */
export type LinkColors = ReadonlyMap<string, string>;

/** Reads the fifteen rows of the table; they apply to all VNOs. */
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

/** An offline gateway has no link, independent of its last report. */
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

/** Marks for a normal and an abnormal container; other states use a circle. */
const marks: Readonly<Record<number, string>> = { 1: '✓', 2: '✗' };

const containersOf = ({ containers }: Raw): string | null => {
  if (!Array.isArray(containers) || containers.length === 0) return null;
  return containers.map(([name, status]: readonly unknown[]) => `${String(name)} ${marks[Number(status)] ?? '○'}`).join(', ');
};

/** Links, ports and containers as the list shows them. They do not depend on the language, because one update is sent to many readers. */
export const deviceTagsOf = (row: Raw, colors: LinkColors): DeviceTags => ({
  current_link: row.online_state === 1 && row.current_link !== null ? linkName(row.current_link) : null,
  wan_links: linksOf(row, colors),
  lan_status: portsOf(row),
  docker_info: containersOf(row),
});

/** Row as the API returns it. */
export const withDeviceTags = <R extends Raw>({ links, lan, containers, current_link, ...row }: R, colors: LinkColors) => ({
  ...row,
  ...deviceTagsOf({ online_state: row.online_state, current_link, links, lan, containers }, colors),
});

export const isRaw = (row: object): row is Raw =>
  'online_state' in row && 'current_link' in row && 'links' in row && 'lan' in row && 'containers' in row;
