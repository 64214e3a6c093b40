const texts: Readonly<Record<string, string>> = { '6d': '6D', l_band: 'L-Band', lte: 'LTE', low_orbit: 'LEO' };

/** Display name of a link in any language: `lte2` is the second LTE link of its gateway. */
export const linkName = (link: string): string => {
  const [, kind = '', number = ''] = /^(6d|l_band|lte|low_orbit)(\d*)$/.exec(link) ?? [];
  const label = texts[kind];
  return label === undefined ? link : number === '' ? label : `${label} ${number}`;
};
