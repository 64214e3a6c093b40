import type { Text } from '@farlink/contract/kit/text.ts';
import { gatewayPages } from '@farlink/gateway/menu.ts';

/** What a page is called; one that is not known is called by its key. */
export const titleOf = (key: string): Text => gatewayPages.get(key)?.title ?? [key, key];
