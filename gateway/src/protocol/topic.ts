/** `gw/1/{sn}/up/…` is what a gateway says, `gw/1/{sn}/dn/…` what it hears. The 1 is the version of this protocol. */
const root = 'gw/1/';

/** As the console validates an SN; no character of it means anything in a topic. */
export const snPattern = /^[A-Za-z0-9]([A-Za-z0-9_-]{0,62}[A-Za-z0-9])?$/;

/** The name of a configuration page. */
export const sectionPattern = /^[a-z][a-z0-9_]{0,63}$/;

export const upTopic = (sn: string, tail: string) => `${root}${sn}/up/${tail}`;
export const downTopic = (sn: string, tail: string) => `${root}${sn}/dn/${tail}`;

/** What stands behind the gateway's own prefix, or undefined: then it is not its topic. */
const tailAfter = (prefix: string, topic: string): string | undefined =>
  topic.length > prefix.length && topic.startsWith(prefix) ? topic.slice(prefix.length) : undefined;

export const upTail = (sn: string, topic: string) => tailAfter(upTopic(sn, ''), topic);
export const downTail = (sn: string, topic: string) => tailAfter(downTopic(sn, ''), topic);

/** A subscription is a gateway's own when no wildcard stands before `dn/`. */
export const ownFilter = (sn: string, filter: string) => downTail(sn, filter) !== undefined;

/** MQTT's matching of a topic by a filter. */
export const matches = (filter: string, topic: string): boolean => {
  const wanted = filter.split('/');
  const parts = topic.split('/');
  for (const [i, part] of wanted.entries()) {
    if (part === '#') return true;
    if (i >= parts.length || (part !== '+' && part !== parts[i])) return false;
  }
  return wanted.length === parts.length;
};

/** A gateway without a key says whose it is with this password. */
export const enrolPrefix = 'enrol:';
