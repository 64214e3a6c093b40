import { dangerSiteCalls } from '@farlink/contract/advanced/danger-site.ts';
import { bindAll } from '../../../kit/http/serve.ts';
import { listDangerGateways, readDangerState } from './danger-gateway.ts';
import { createDangerSite, listDangerSites, removeDangerSite, removeDangerSites, testDangerSite, updateDangerSite } from './danger-site.ts';
import { dangerTemplate, downloadDangerReport, importDangerSites, readDangerImport } from './import-sites.ts';

export const dangerSiteBindings = bindAll(dangerSiteCalls, {
  list: listDangerSites,
  create: createDangerSite,
  update: updateDangerSite,
  remove: removeDangerSite,
  removeMany: removeDangerSites,
  test: testDangerSite,
  import: importDangerSites,
  imported: readDangerImport,
  report: downloadDangerReport,
  template: dangerTemplate,
  state: readDangerState,
  gateways: listDangerGateways,
});
