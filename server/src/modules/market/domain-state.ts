import type { certState as certStates, proofState as proofStates } from '@farlink/contract/market/domain.ts';
import { sql } from 'kysely';

type ProofState = (typeof proofStates)[number]['id'];
type CertState = (typeof certStates)[number]['id'];

export const proofState = sql<ProofState>`case when domain.domain is null then 'none' when proven_at is null then 'pending'
  when proof_failed_at is not null then 'failing' else 'proven' end`;

/** A certificate needs attention when a third of its life is left, and urgently at a sixth. */
export const certState = (now: number) => sql<CertState>`case
  when cert is null then case when https and cert_source = 'acme' then 'pending' else 'none' end
  when cert_expire_at <= ${now} then 'expired'
  when (cert_expire_at - ${now}) * 6 <= cert_expire_at - cert_begin_at then 'urgent'
  when (cert_expire_at - ${now}) * 3 <= cert_expire_at - cert_begin_at then 'expiring'
  else 'valid' end`;
