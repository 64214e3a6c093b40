/** Distinguishes the cookies of a session's origin from other cookies of the host. */
export interface CookieScope {
  /** Name of the session cookie. */
  readonly name: string;
  /**
   * Browsers share cookies between the ports of a host. If sessions differ only by port, device cookies get a prefix, are HttpOnly, and no
   * others are passed to the device.
   */
  readonly prefix: string;
  readonly secure: boolean;
}

/** Cookies with this prefix are never sent to a device. */
const ourNames = 'farlink-remote-';

export const cookieScope = (label: string, isShared: boolean, secure: boolean): CookieScope => ({
  name: `${ourNames}${label}`,
  prefix: isShared ? `${label}_` : '',
  secure,
});

const pairsOf = (header: string | undefined): [name: string, value: string][] =>
  (header ?? '').split(';').flatMap((cookie) => {
    const at = cookie.indexOf('=');
    return at < 1 ? [] : [[cookie.slice(0, at).trim(), cookie.slice(at + 1).trim()]];
  });

export const ownCookie = (header: string | undefined, { name }: CookieScope): string | undefined =>
  pairsOf(header).find(([n]) => n === name)?.[1];

export const setOwnCookie = ({ name, secure }: CookieScope, value: string): string =>
  `${name}=${value}; Path=/; HttpOnly; SameSite=Strict${secure ? '; Secure' : ''}`;

/** Cookies for the device: only those that it has set. */
export const cookiesForDevice = (header: string | undefined, { prefix }: CookieScope): string | undefined => {
  const passed = pairsOf(header).flatMap(([name, value]) =>
    name.startsWith(ourNames) || !name.startsWith(prefix) ? [] : [`${name.slice(prefix.length)}=${value}`],
  );
  return passed.length > 0 ? passed.join('; ') : undefined;
};

/** Device cookies stay on this origin, for the lifetime that the device sets. */
export const cookieForBrowser = (line: string, { prefix, secure }: CookieScope): string | undefined => {
  const [pair = '', ...attributes] = line.split(';').map((text) => text.trim());
  const at = pair.indexOf('=');
  if (at < 1 || pair.startsWith(ourNames) || pair.startsWith('__Host-') || pair.startsWith('__Secure-')) return undefined;
  const kept = attributes.filter((attribute) => {
    const name = attribute.split('=')[0]?.trim().toLowerCase() ?? '';
    if (name === 'domain' || name === 'partitioned') return false;
    // On plain HTTP the browser would drop Secure cookies, and SameSite=None requires Secure.
    if (!secure && (name === 'secure' || attribute.toLowerCase().replaceAll(' ', '') === 'samesite=none')) return false;
    return !(prefix !== '' && name === 'httponly');
  });
  return [`${prefix}${pair}`, ...kept, ...(prefix === '' ? [] : ['HttpOnly'])].join('; ');
};
