import type { Deps } from '../../kit/deps.ts';
import { findBrand } from './brand.ts';
import { logoMime, readLogo } from './read-logo.ts';

/** Heading of a mail: the logo as an inline picture, or the name. */
export interface MailBrand {
  readonly name: string;
  readonly logo?: { readonly bytes: Buffer; readonly type: string };
}

/** Name and logo for the mails of a VNO. Undefined: the VNO was deleted. */
export const mailBrandOf = async ({ db, config }: Pick<Deps, 'db' | 'config'>, agentId: number): Promise<MailBrand | undefined> => {
  const brand = await findBrand(db, agentId);
  if (!brand) return undefined;
  const { name, logo } = brand;
  const bytes = await readLogo(config, logo);
  return { name, ...(logo !== null && bytes && { logo: { bytes, type: logoMime(logo) } }) };
};
