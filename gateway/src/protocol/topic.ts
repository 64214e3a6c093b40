/** `gw/1/{sn}/up/…` from the gateway, `gw/1/{sn}/dn/…` to the gateway; 1 is the protocol version. */
const root = 'gw/1/';

/** Same as the validation of the console; it allows no topic wildcards or separators. */
export const snPattern = /^[A-Za-z0-9]([A-Za-z0-9_-]{0,62}[A-Za-z0-9])?$/;

/** The name of a configuration page. */
export const sectionPattern = /^[a-z][a-z0-9_]{0,63}$/;

export const upTopic = (sn: string, tail: string) => `${root}${sn}/up/${tail}`;
export const downTopic = (sn: string, tail: string) => `${root}${sn}/dn/${tail}`;

/** The topic after the prefix; undefined: a different prefix. */
const tailAfter = (prefix: string, topic: string): string | undefined =>
  topic.length > prefix.length && topic.startsWith(prefix) ? topic.slice(prefix.length) : undefined;

export const upTail = (sn: string, topic: string) => tailAfter(upTopic(sn, ''), topic);
export const downTail = (sn: string, topic: string) => tailAfter(downTopic(sn, ''), topic);

/** A filter belongs to the gateway if it has no wildcard before `dn/`. */
export const isOwnFilter = (sn: string, filter: string) => downTail(sn, filter) !== undefined;

/** MQTT topic matching. */
export const matches = (filter: string, topic: string): boolean => {
  const filterLevels = filter.split('/');
  const topicLevels = topic.split('/');
  for (const [i, level] of filterLevels.entries()) {
    if (level === '#') return true;
    if (i >= topicLevels.length || (level !== '+' && level !== topicLevels[i])) return false;
  }
  return filterLevels.length === topicLevels.length;
};

/** Password prefix of a gateway without a key; the merchant code follows. */
export const enrolPrefix = 'enrol:';
