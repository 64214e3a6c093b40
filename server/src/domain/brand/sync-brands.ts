import type { Db } from '../../kit/deps.ts';
import type { JobKinds, JobRun } from '../../kit/jobs/job.ts';
import { type GatewayBrand, setDesiredBrands } from '../../orders/brand-section.ts';

/** Retention of completed jobs. */
const retentionS = 3600;

interface Vno {
  readonly id: number;
  readonly parent_id: number | null;
  readonly name: string;
  readonly device_logo: string | null;
  readonly device_logo_sha256: string | null;
  readonly device_logo_size: number | null;
}

type Logo = { readonly name: string; readonly size: number; readonly sha256: string };

const ownLogo = ({ device_logo, device_logo_sha256, device_logo_size }: Vno): Logo | undefined =>
  device_logo === null || device_logo_sha256 === null || device_logo_size === null
    ? undefined
    : { name: device_logo.endsWith('.png') ? 'logo.png' : 'logo.jpg', size: device_logo_size, sha256: device_logo_sha256 };

/** `vnos` are sorted by level, so a parent comes before its children. */
export const gatewayBrands = (vnos: readonly Vno[]): GatewayBrand[] => {
  const logos = new Map<number, Logo | undefined>();
  return vnos.map((vno) => {
    const logo = ownLogo(vno) ?? (vno.parent_id === null ? undefined : logos.get(vno.parent_id));
    logos.set(vno.id, logo);
    return { agent_id: vno.id, doc: { name: vno.name, ...(logo && { logo }) } };
  });
};

/** Compares the brand of every gateway with that of its VNO, so no change of VNO, device or tree can be missed. */
export const syncBrands = async (db: Db, now: number): Promise<number> => {
  const vnos = await db
    .selectFrom('agent')
    .select(['id', 'parent_id', 'name', 'device_logo', 'device_logo_sha256', 'device_logo_size'])
    .orderBy('agent_level')
    .orderBy('id')
    .execute();
  return setDesiredBrands(db, gatewayBrands(vnos), now);
};

const run = async ({ deps, signal, commit }: JobRun) => {
  while (!signal.aborted && (await deps.db.transaction().execute((db) => syncBrands(db, deps.clock.now()))) > 0);
  await commit(async () => undefined);
};

export const brandJobs: JobKinds = { sync_brands: { run, everyS: 60, retentionS } };
