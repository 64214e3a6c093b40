/** How the cookies of one origin are told apart from what else the browser may send with them. */
export interface CookieScope {
  /** Of the session's own cookie. */
  readonly name: string;
  /**
   * Where sessions differ by port alone the browser keeps all cookies of the host together: those of this device then carry a prefix,
   * no script sees them, and no others are passed on.
   */
  readonly prefix: string;
  readonly secure: boolean;
}

/** No device ever gets one of these. */
const ourNames = 'farlink-remote-';

export const cookieScope = (label: string, isShared: boolean, secure: boolean): CookieScope => ({
  name: `${ourNames}${label}`,
  prefix: isShared ? `${label}_` : '',
  secure,
});

const pairsOf = (header: string | undefined): [name: string, value: string][] =>
  (header ?? '').split(';').flatMap((part) => {
    const at = part.indexOf('=');
    return at < 1 ? [] : [[part.slice(0, at).trim(), part.slice(at + 1).trim()]];
  });

export const ownCookie = (header: string | undefined, { name }: CookieScope): string | undefined =>
  pairsOf(header).find(([n]) => n === name)?.[1];

export const setOwnCookie = ({ name, secure }: CookieScope, value: string): string =>
  `${name}=${value}; Path=/; HttpOnly; SameSite=Strict${secure ? '; Secure' : ''}`;

/** What the device is shown: what it has set itself. */
export const cookiesForDevice = (header: string | undefined, { prefix }: CookieScope): string | undefined => {
  const passed = pairsOf(header).flatMap(([name, value]) =>
    name.startsWith(ourNames) || !name.startsWith(prefix) ? [] : [`${name.slice(prefix.length)}=${value}`],
  );
  return passed.length > 0 ? passed.join('; ') : undefined;
};

/** What the device sets stays on this origin, for as long as the device says. */
export const cookieForBrowser = (line: string, { prefix, secure }: CookieScope): string | undefined => {
  const [pair = '', ...attributes] = line.split(';').map((part) => part.trim());
  const at = pair.indexOf('=');
  if (at < 1 || pair.startsWith(ourNames) || pair.startsWith('__Host-') || pair.startsWith('__Secure-')) return undefined;
  const kept = attributes.filter((attribute) => {
    const name = attribute.split('=')[0]?.trim().toLowerCase() ?? '';
    if (name === 'domain' || name === 'partitioned') return false;
    // On plain HTTP the browser would throw a secure one away, and one that asks to be sent across sites with it.
    if (!secure && (name === 'secure' || attribute.toLowerCase().replaceAll(' ', '') === 'samesite=none')) return false;
    return !(prefix !== '' && name === 'httponly');
  });
  return [`${prefix}${pair}`, ...kept, ...(prefix === '' ? [] : ['HttpOnly'])].join('; ');
};
