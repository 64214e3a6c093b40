import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';
import type { Text } from '@farlink/contract/kit/text.ts';
import type { Config } from '../../env/config.ts';

/** Suffixes of several labels below which anyone can register a name. A name of one label is refused anyway. */
const publicSuffixes = new Set(
  [
    'ac.cn com.cn edu.cn gov.cn mil.cn net.cn org.cn bj.cn sh.cn tj.cn cq.cn he.cn sx.cn nm.cn ln.cn jl.cn hl.cn js.cn zj.cn ah.cn fj.cn',
    'jx.cn sd.cn ha.cn hb.cn hn.cn gd.cn gx.cn hi.cn sc.cn gz.cn yn.cn xz.cn sn.cn gs.cn qh.cn nx.cn xj.cn tw.cn hk.cn mo.cn',
    'com.hk edu.hk gov.hk idv.hk net.hk org.hk com.tw edu.tw gov.tw net.tw org.tw idv.tw com.mo net.mo org.mo',
    'co.uk ac.uk gov.uk ltd.uk me.uk net.uk org.uk plc.uk sch.uk com.au edu.au gov.au net.au org.au id.au asn.au',
    'co.jp ac.jp ad.jp ed.jp go.jp gr.jp lg.jp ne.jp or.jp co.kr ac.kr go.kr ne.kr or.kr re.kr pe.kr',
    'com.sg edu.sg gov.sg net.sg org.sg com.my edu.my gov.my net.my org.my co.th ac.th go.th in.th or.th com.ph net.ph org.ph',
    'co.id ac.id go.id or.id web.id com.vn edu.vn gov.vn net.vn org.vn co.in ac.in gov.in net.in org.in firm.in gen.in ind.in',
    'co.nz ac.nz govt.nz net.nz org.nz co.za ac.za gov.za net.za org.za com.br edu.br gov.br net.br org.br com.mx gob.mx org.mx',
    'com.ar gob.ar net.ar org.ar com.co net.co com.pe com.tr edu.tr gov.tr net.tr org.tr co.il ac.il org.il com.ua com.ru msk.ru spb.ru',
    'com.eg com.sa com.ng com.pk com.bd com.lk com.np com.kh com.mm com.es org.es com.pl net.pl org.pl com.pt com.gr com.cy com.mt',
    'eu.org github.io gitlab.io pages.dev workers.dev vercel.app netlify.app web.app firebaseapp.com herokuapp.com azurewebsites.net',
    'cloudfront.net s3.amazonaws.com appspot.com blogspot.com duckdns.org dyndns.org no-ip.org ddns.net in-addr.arpa ip6.arpa',
  ].flatMap((line) => line.split(' ')),
);

/** Names that no public DNS answers. */
const reserved = /(^|\.)(localhost|local|internal|invalid|onion|arpa|home|lan)$/;

/** The TXT record of the proof needs this prefix, and a name has at most 253 characters. */
const longest = 253 - '_farlink.'.length;

const texts = {
  bare: ['只填写域名，不含端口和路径', 'Enter the domain only, without port or path'],
  address: ['请填写域名，不能是IP地址', 'Enter a domain name, not an IP address'],
  invalid: ['域名格式不正确', 'Not a valid domain name'],
  suffix: ['这是公共后缀，请填写您自己的域名', 'This is a public suffix. Enter a domain of your own.'],
  own: ['该域名由平台使用', 'The platform uses this domain'],
} as const satisfies Record<string, Text>;

const isLabel = (label: string) => /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(label);

/** Host of the platform, which no VNO may use. */
const isOfPlatform = (domain: string, { publicUrl, remote }: Pick<Config, 'publicUrl' | 'remote'>) => {
  const own = publicUrl && new URL(publicUrl).hostname;
  const remoteName = remote.webUrl && new URL(remote.webUrl.replace('*.', '')).hostname;
  return domain === own || (remoteName !== undefined && (domain === remoteName || domain.endsWith(`.${remoteName}`)));
};

/** A domain as operators type it, in lower case and ASCII form, or why it cannot be used. */
export const readDomain = (typed: string, config: Pick<Config, 'publicUrl' | 'remote'>): { domain: string } | { refusal: Text } => {
  const bare = typed
    .trim()
    .replace(/^https?:\/\//i, '')
    .replace(/\/$/, '');
  if (isIP(bare.replace(/^\[|\]$/g, ''))) return { refusal: texts.address };
  if (/[:/?#@\\]/.test(bare)) return { refusal: texts.bare };
  const domain = domainToASCII(bare).replace(/\.$/, '');
  // Numbers such as 127.1 become an address here.
  if (isIP(domain)) return { refusal: texts.address };
  const labels = domain.split('.');
  if (labels.length < 2 || domain.length > longest || !labels.every(isLabel) || /^\d+$/.test(labels.at(-1) ?? ''))
    return { refusal: texts.invalid };
  if (publicSuffixes.has(domain)) return { refusal: texts.suffix };
  if (reserved.test(domain)) return { refusal: texts.invalid };
  return isOfPlatform(domain, config) ? { refusal: texts.own } : { domain };
};
