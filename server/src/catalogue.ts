import { endpoints } from '@farlink/contract/endpoints.ts';
import { pages } from '@farlink/contract/pages.ts';
import { gatewayPages } from '@farlink/gateway/menu.ts';

/** Pages and calls of the contract with their permissions, as data. */
const catalogue = {
  pages: pages.map((p) => ({
    key: p.key,
    route: p.route,
    permission: p.permission,
    title: p.title,
    columns: p.resource?.columns ?? [],
    filters: p.resource?.filters ?? [],
    actions: Object.keys(p.actions),
    forms: Object.fromEntries(Object.entries(p.forms).map(([key, form]) => [key, Object.keys(form.fields)])),
  })),
  calls: endpoints.map(({ method, path, access }) => ({ method, path, permission: access })),
  gateway: [...gatewayPages.keys()],
};

process.stdout.write(`${JSON.stringify(catalogue)}\n`);
