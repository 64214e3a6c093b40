import { readFile } from 'node:fs/promises';
import { check } from '@farlink/contract/kit/check.ts';
import type { InputOf } from '@farlink/contract/kit/endpoint.ts';
import { defaultPasswordRule } from '@farlink/contract/kit/password-rule.ts';
import { say, type Text } from '@farlink/contract/kit/text.ts';
import { domainCalls as calls, domainForm, domainType } from '@farlink/contract/market/domain.ts';
import { type Selectable, sql } from 'kysely';
import type { DomainTable } from '../../db/tables.ts';
import { type ProofError, storeProof } from '../../domain/custom-domain/check-proof.ts';
import { readDomain } from '../../domain/custom-domain/domain-name.ts';
import { proofName, proofToken, readTxt } from '../../domain/custom-domain/proof.ts';
import { coversDomain, readCertificate } from '../../domain/custom-domain/read-certificate.ts';
import type { Ctx } from '../../kit/ctx.ts';
import { fail, failAt } from '../../kit/fail.ts';
import { isUpload, type Upload } from '../../kit/files/upload.ts';
import { allowPerMinute } from '../../kit/http/rate-limit.ts';
import type { Handler } from '../../kit/http/serve.ts';
import { pageOf } from '../../kit/list/page.ts';
import { lockRow } from '../../kit/list/rows.ts';
import { ownScope } from '../../kit/list/scope.ts';
import { record } from '../../kit/log/record.ts';
import { seal } from '../../kit/session/secret.ts';
import { certState, proofState } from './domain-state.ts';

type DomainRow = Selectable<DomainTable>;

const texts = {
  taken: ['该域名已被使用', 'This domain is already in use'],
  together: ['证书和密钥须一起上传', 'Upload the certificate and the key together'],
  otherName: ['已保存的证书不包含该域名，请上传新证书', 'The stored certificate does not cover this domain. Upload a new one.'],
  noAcme: ['本平台未启用自动签发', 'Automatic certificates are not available on this platform'],
  proven: ['验证通过，域名已可使用', 'Verified. The domain is in use.'],
} as const satisfies Record<string, Text>;

const proofTexts: Readonly<Record<NonNullable<ProofError>, Text>> = {
  missing: ['未找到TXT记录', 'No TXT record found'],
  wrong: ['TXT记录的值不正确', 'The TXT record has another value'],
  resolver: ['DNS服务器没有应答', 'The DNS server did not answer'],
  taken: ['该域名由其他VNO持有', 'Another VNO holds this domain'],
  lost: ['所有权验证已失效，域名已停用', 'The proof of ownership is gone. The domain is no longer used.'],
};

/** Rows of the VNO of the session: a domain belongs to one VNO alone. */
const own = (ctx: Ctx) => ownScope(ctx.me, 'domain.agent_id');

export const listDomains: Handler<typeof calls.list> = async (ctx, input) => {
  const { secretKey, acme } = ctx.deps.config;
  const page = await pageOf(
    ctx.db,
    calls.list,
    input,
    ctx.db
      .selectFrom('domain')
      .select([
        'id',
        'version',
        'domain_type',
        'domain',
        'https',
        'cert_name',
        'cert_expire_at',
        'status',
        'update_at',
        'cert_source',
        'checked_at',
        'proof_error',
        'cert_error',
        'agent_id',
        sql<boolean>`cert is not null`.as('has_cert'),
        proofState.as('proof_state'),
        certState(ctx.now()).as('cert_state'),
      ])
      .where(own(ctx)),
  );
  const list = page.list.map(({ proof_error, cert_error, agent_id, ...row }) => ({
    ...row,
    txt_name: row.domain && proofName(row.domain),
    txt_value: row.domain && proofToken(secretKey, agent_id, row.domain),
    last_error: proof_error ? say(proofTexts[proof_error], ctx.lang) : cert_error,
    acme: acme !== undefined,
  }));
  return { ...page, list };
};

/** A proven name is reserved, and so is a name that the VNO uses itself. A name whose proof fails can be claimed. */
const refuseTaken = async (ctx: Ctx, row: DomainRow, domain: string) => {
  const other = await ctx.db
    .selectFrom('domain')
    .select('id')
    .where('domain', '=', domain)
    .where('id', '<>', row.id)
    .where((eb) => eb.or([eb('agent_id', '=', row.agent_id), eb.and([eb('proven_at', 'is not', null), eb('proof_failed_at', 'is', null)])]))
    .executeTakeFirst();
  if (other) throw failAt('domain', texts.taken);
};

const noCertificate = { cert_name: null, cert: null, cert_key: null, cert_sha256: null, cert_begin_at: null, cert_expire_at: null };
type CertificateColumns = Pick<DomainRow, keyof typeof noCertificate>;

interface UploadedPair {
  readonly cert: Upload | undefined;
  readonly key: Upload | undefined;
}

const uploadedPair = (ctx: Ctx, { cert_file, key_file }: InputOf<typeof calls.update>): UploadedPair => {
  const of = (value: unknown) => (ctx.request.isMultipart() && isUpload(value) ? value : undefined);
  const cert = of(cert_file);
  const key = of(key_file);
  if (cert && !key) throw failAt('key_file', texts.together);
  if (key && !cert) throw failAt('cert_file', texts.together);
  return { cert, key };
};

/** The uploaded certificate, or the stored one if it covers the domain. */
const certificateFor = async (ctx: Ctx, row: DomainRow, domain: string, { cert, key }: UploadedPair): Promise<CertificateColumns> => {
  if (!cert || !key) return row.cert !== null && coversDomain(row.cert, domain) ? row : noCertificate;
  const files = { cert: await readFile(cert.path), key: await readFile(key.path) };
  const read = readCertificate({ ...files, domain, now: ctx.now() });
  if ('field' in read) throw failAt(read.field, read.text);
  return {
    cert_name: cert.name,
    cert: read.cert,
    // The same pair keeps its sealed text, so that an unchanged form is recognised.
    cert_key: read.sha256 === row.cert_sha256 ? row.cert_key : seal(ctx.deps.config.secretKey, read.key),
    cert_sha256: read.sha256,
    cert_begin_at: read.beginAt,
    cert_expire_at: read.expireAt,
  };
};

const sourceFor = (ctx: Ctx, row: DomainRow, input: InputOf<typeof calls.update>): DomainRow['cert_source'] => {
  const source = input.https ? (input.cert_source ?? row.cert_source) : row.cert_source;
  if (input.https && source === 'acme' && !ctx.deps.config.acme) throw failAt('cert_source', texts.noAcme);
  return source;
};

const refuseForm = (ctx: Ctx, row: DomainRow, input: InputOf<typeof calls.update>, source: DomainRow['cert_source']) => {
  const known = { has_cert: row.cert !== null, acme: ctx.deps.config.acme !== undefined };
  const values = { ...input, domain_type: row.domain_type, cert_source: source, ...known };
  const { errors } = check(domainForm.fields, values, { passwordRule: defaultPasswordRule, now: ctx.now() });
  if (Object.keys(errors).length > 0) throw fail('bad_input', { fields: errors });
};

const shown = ({ domain, https, cert_source, cert_name, cert_expire_at, status }: DomainRow) => ({
  domain,
  https,
  cert_source,
  cert_name,
  cert_expire_at,
  status,
});

const labelOf = (row: DomainRow): Text => domainType.find(({ id }) => id === row.domain_type)?.label ?? ['', ''];

export const updateDomain: Handler<typeof calls.update> = async (ctx, input) => {
  const row = await lockRow(ctx, 'domain', input.id, own(ctx));
  if (row.version !== input.version) throw fail('stale');
  const found = readDomain(input.domain, ctx.deps.config);
  if ('refusal' in found) throw failAt('domain', found.refusal);
  const { domain } = found;
  const cert_source = sourceFor(ctx, row, input);
  refuseForm(ctx, row, input, cert_source);
  const isOther = domain !== row.domain;
  if (isOther) await refuseTaken(ctx, row, domain);
  const https = input.https ?? false;
  const certificate = await certificateFor(ctx, row, domain, uploadedPair(ctx, input));
  if (https && cert_source === 'upload' && certificate.cert === null) throw failAt('cert_file', texts.otherName);

  const now = ctx.now();
  const { cert_name, cert, cert_key, cert_sha256, cert_begin_at, cert_expire_at } = certificate;
  const after: DomainRow = {
    ...row,
    domain,
    https,
    cert_source,
    status: input.status ?? row.status,
    cert_name,
    cert,
    cert_key,
    cert_sha256,
    cert_begin_at,
    cert_expire_at,
  };
  if (cert_sha256 === row.cert_sha256 && JSON.stringify(shown({ ...after, cert_name: row.cert_name })) === JSON.stringify(shown(row)))
    throw fail('unchanged');
  const isNewCertificate = cert_sha256 !== row.cert_sha256;
  await ctx.db
    .updateTable('domain')
    .set({
      ...after,
      ...(isOther && { proven_at: null, checked_at: null, proof_failed_at: null, proof_error: null }),
      ...((isOther || isNewCertificate || cert_source !== row.cert_source) && { cert_error: null }),
      https_at: https && cert !== null ? ((isOther ? null : row.https_at) ?? now) : null,
      update_at: now,
      version: row.version + 1,
    })
    .where('id', '=', row.id)
    .execute();
  const [zh, en] = labelOf(row);
  record(ctx, [`设置${zh}域名 ${domain}`, `Set the domain of the ${en.toLowerCase()} to ${domain}`], {
    before: shown(row),
    after: { ...shown(after), ...(isNewCertificate && cert !== null && { certificate: 'replaced' }) },
  });
};

const checksPerMinute = 20;

/** Queries the TXT record before any lock, because a DNS server may be slow. */
export const checkDomain: Handler<typeof calls.check> = async (ctx, { id }) => {
  const row = await ctx.db.selectFrom('domain').selectAll().where('id', '=', id).where(own(ctx)).executeTakeFirst();
  if (!row) throw fail('not_found');
  if (row.domain === null) throw fail('wrong_state');
  await allowPerMinute(ctx.deps, `domain ${ctx.me.agent_id}`, checksPerMinute, ctx.now());
  const { config } = ctx.deps;
  const answer = await readTxt(config, proofName(row.domain));
  const found = await storeProof({ db: ctx.db, secretKey: config.secretKey, now: ctx.now() }, id, row.domain, answer);
  if (!found) throw fail('stale');
  const message = found.error ? proofTexts[found.error] : texts.proven;
  record(ctx, [`检查域名 ${row.domain} 的所有权：${message[0]}`, `Checked the ownership of ${row.domain}: ${message[1]}`]);
  return { is_proven: found.error === null, message: say(message, ctx.lang) };
};
