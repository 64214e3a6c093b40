import type { GatewayPage } from '@farlink/gateway/kit/page.ts';

/** What a page gets that is no part of the configuration. */
export interface LivePageProps {
  readonly deviceId: number;
  readonly page: GatewayPage;
  readonly writable: boolean;
}
