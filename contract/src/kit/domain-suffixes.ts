const listed = (...lines: readonly string[]): ReadonlySet<string> => new Set(lines.flatMap((line) => line.split(' ')));

/** Suffixes of several labels of a registry: anyone can register a name below them. */
export const registrySuffixes = listed(
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
  'in-addr.arpa ip6.arpa',
);

/** Domains of providers whose customers get a name below them. */
export const hostingSuffixes = listed(
  'eu.org github.io gitlab.io pages.dev workers.dev vercel.app netlify.app web.app firebaseapp.com herokuapp.com azurewebsites.net',
  'cloudfront.net s3.amazonaws.com appspot.com blogspot.com duckdns.org dyndns.org no-ip.org ddns.net',
);
