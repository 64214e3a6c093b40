import type { JsonObject } from '@farlink/gateway/protocol/shape.ts';
import type { Pool } from 'pg';
import type { Config } from '../../env/config.ts';
import { readAddress } from '../../orders/file-exchange.ts';

interface BrandRow {
  readonly device_id: number;
  readonly doc: JsonObject;
}

/** Validity of the URL. A gateway that returns later gets a new one, because the section is sent again. */
const addressS = 86_400;

const logoOf = ({ doc }: BrandRow): string | undefined => {
  const { logo } = doc;
  const sha256 = typeof logo === 'object' && logo !== null && 'sha256' in logo ? logo.sha256 : undefined;
  return typeof sha256 === 'string' ? sha256 : undefined;
};

/** URLs of the logos that the brand sections name, by device. A device is missing if its logo was replaced meanwhile. */
export const brandFiles = async (
  pool: Pool,
  config: Config,
  now: number,
  rows: readonly BrandRow[],
): Promise<ReadonlyMap<number, Readonly<Record<string, string>>>> => {
  const named = [...new Set(rows.flatMap((row) => logoOf(row) ?? []))];
  const { rows: stored } = await pool.query<{ sha256: string; key: string }>({
    name: 'field_brand_logos',
    text: 'select device_logo_sha256 as sha256, min(device_logo) as key from agent where device_logo_sha256 = any($1::text[]) group by 1',
    values: [named],
  });
  const keys = new Map(stored.map(({ sha256, key }) => [sha256, key]));
  return new Map(
    rows.flatMap((row): [number, Record<string, string>][] => {
      const sha256 = logoOf(row);
      if (sha256 === undefined) return [[row.device_id, {}]];
      const key = keys.get(sha256);
      return key === undefined
        ? []
        : [[row.device_id, { [sha256]: readAddress(config, { device_id: row.device_id, key, sha256, until: now + addressS }) }]];
    }),
  );
};
