import type { GatewayPage } from '@farlink/gateway/kit/page.ts';

/** Props of a page that is not part of the configuration. */
export interface LivePageProps {
  readonly deviceId: number;
  readonly page: GatewayPage;
  readonly writable: boolean;
  readonly hrefOf: (page: string) => string | undefined;
}
