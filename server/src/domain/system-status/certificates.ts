import type { StatusCertificate, StatusFinding } from '@farlink/contract/advanced/system-status.ts';
import { fill } from '@farlink/contract/kit/text.ts';
import type { Deps } from '../../kit/deps.ts';
import { cachedFor } from './cached.ts';
import { durationText, finding, statusPart } from './finding.ts';
import { readProcessNodes } from './nodes.ts';
import { thresholds } from './thresholds.ts';

type CertificateDeps = Pick<Deps, 'db' | 'clock' | 'pool'>;

/** Domains that expire first are shown. */
const maxShown = 200;

const domainsOf = async ({ db }: CertificateDeps): Promise<StatusCertificate[]> => {
  const rows = await db
    .selectFrom('domain')
    .select(['domain', 'cert_expire_at'])
    .where('https', '=', true)
    .where('status', '=', 1)
    .where('proven_at', 'is not', null)
    .where('cert_expire_at', 'is not', null)
    .orderBy('cert_expire_at')
    .limit(maxShown)
    .execute();
  return rows.flatMap(({ domain, cert_expire_at }) =>
    domain !== null && cert_expire_at !== null ? [{ use: 'domain' as const, host: domain, expire_at: cert_expire_at }] : [],
  );
};

/** Certificates of domains, and those that live processes serve, each once with its earliest end. */
export const readCertificateFigures = cachedFor(15, async (deps: CertificateDeps): Promise<StatusCertificate[]> => {
  const nodes = await readProcessNodes(deps);
  const served = nodes.filter(({ is_gone }) => !is_gone).flatMap(({ figures }) => figures.certificates);
  const all = [...(await domainsOf(deps)), ...served].sort((a, b) => a.expire_at - b.expire_at);
  return [...new Map([...all].reverse().map((one) => [`${one.use} ${one.host}`, one])).values()].reverse();
});

const levelOfRemaining = (remaining: number) => {
  const { warning, critical } = thresholds.certificateLeftS;
  return remaining <= critical ? 'critical' : remaining <= warning ? 'warning' : undefined;
};

const findingOf = ({ use, host, expire_at }: StatusCertificate, now: number): StatusFinding[] => {
  const remaining = expire_at - now;
  return finding(
    `certificate:${use}:${host}`,
    levelOfRemaining(remaining),
    remaining <= 0
      ? fill(['{0} 的证书已过期', 'The certificate of {0} has expired'], host)
      : fill(['{0} 的证书将在 {1}后过期', 'The certificate of {0} expires in {1}'], host, durationText(remaining)),
    use === 'domain'
      ? ['在“域名设置”页更换证书，或检查自动签发的原因', 'Replace it on the page Domain setup, or check why it was not renewed']
      : ['更换证书文件并重新启动进程', 'Replace the certificate file and restart the process'],
  );
};

export const readCertificates = async (deps: Deps) => {
  const list = await readCertificateFigures(deps);
  return statusPart(
    list,
    list.flatMap((one) => findingOf(one, deps.clock.now())),
  );
};
