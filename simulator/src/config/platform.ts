import type { JsonObject } from '@farlink/gateway/protocol/shape.ts';
import type { Sections } from '../sections.ts';

export const platform = 'advanced_cloud_platform';

/** What makes it another binding, or orders a restore after the one that there is. */
const ties = ['host', 'port', 'merchant_code', 'device_key', 'restore_backup'];

export const isBinding = (was: JsonObject, now: JsonObject): boolean => ties.some((field) => was[field] !== now[field]);

/** How it bills by its configuration, where that says so. */
export const billOf = (sections: Sections): 1 | 2 | 3 | undefined => {
  const mode = sections.get(platform)?.doc.billing_mode;
  return mode === 1 || mode === 2 || mode === 3 ? mode : undefined;
};

/** Without these it would belong to nobody: where a binding is kept, they are. */
export const isOfBinding = (section: string): boolean => section === platform || section === 'hidden_license';
