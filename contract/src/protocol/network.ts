/** Link classes of gateways: codes on the wire and in columns, with their labels. */
export const network = [
  { id: 'unknown', label: ['未知', 'Unknown'], color: 'default' },
  { id: '6d', label: ['6D', '6D'], color: 'blue' },
  { id: 'l_band', label: ['L波段', 'L-band'], color: 'orange' },
  { id: 'lte', label: ['LTE', 'LTE'], color: 'green' },
  { id: 'low_orbit', label: ['低轨', 'LEO'], color: 'purple' },
] as const;
export type Network = (typeof network)[number]['id'];

/** Links are named by their class, with a number where there are several: `6d`, `lte2`. */
export const networkOf = (link: string | null | undefined): Network =>
  network.find(({ id }) => link?.startsWith(id) && /^\d*$/.test(link.slice(id.length)))?.id ?? 'unknown';
