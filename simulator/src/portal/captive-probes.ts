/** Replies that phones and computers expect from the internet. Anything else opens their captive browser. */
export interface ProbeReply {
  readonly status: 200 | 204;
  readonly mime: string;
  readonly body: string;
}

const html = 'text/html; charset=utf-8';
const plain = 'text/plain; charset=utf-8';
const apple: ProbeReply = { status: 200, mime: html, body: '<HTML><HEAD><TITLE>Success</TITLE></HEAD><BODY>Success</BODY></HTML>' };
const android: ProbeReply = { status: 204, mime: plain, body: '' };

const replies: Readonly<Record<string, ProbeReply>> = {
  '/hotspot-detect.html': apple,
  '/library/test/success.html': apple,
  '/generate_204': android,
  '/gen_204': android,
  '/connecttest.txt': { status: 200, mime: plain, body: 'Microsoft Connect Test' },
  '/ncsi.txt': { status: 200, mime: plain, body: 'Microsoft NCSI' },
  '/success.txt': { status: 200, mime: plain, body: 'success\n' },
  '/canonical.html': {
    status: 200,
    mime: html,
    body: '<meta http-equiv="refresh" content="0;url=https://support.mozilla.org/kb/captive-portal"/>',
  },
};

/** Reply to the probe of a client with access; undefined: not a probe. */
export const probeReply = (path: string): ProbeReply | undefined => (Object.hasOwn(replies, path) ? replies[path] : undefined);

export const probePaths: readonly string[] = Object.keys(replies);
