import type { Text } from '@farlink/contract/kit/text.ts';
import { gatewayPages } from '@farlink/gateway/menu.ts';

/** Title of a page; an unknown page shows its key. */
export const titleOf = (key: string): Text => gatewayPages.get(key)?.title ?? [key, key];
