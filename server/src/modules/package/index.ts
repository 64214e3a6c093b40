import { extraCalls } from '@farlink/contract/package/extra-package.ts';
import { offerCalls } from '@farlink/contract/package/offer.ts';
import { packageCalls } from '@farlink/contract/package/package.ts';
import { applicationCalls, policyCalls } from '@farlink/contract/package/package-template.ts';
import { bind, bindAll } from '../../kit/http/serve.ts';
import { exportExtras, exportPackages, listExtraExports, listPackageExports } from './export-packages.ts';
import { packageOffers } from './offer.ts';
import {
  createExtra,
  createPackage,
  listExtras,
  listPackages,
  packageOptions,
  readExtra,
  readPackage,
  removeExtra,
  removePackage,
  updateExtra,
  updatePackage,
} from './package.ts';
import {
  applicationOptions,
  createApplication,
  createPolicy,
  listApplications,
  listPolicies,
  policyOptions,
  readApplication,
  readPolicy,
  removeApplication,
  removePolicy,
  updateApplication,
  updatePolicy,
} from './package-template.ts';

export const packageBindings = [
  ...bindAll(packageCalls, {
    list: listPackages,
    create: createPackage,
    read: readPackage,
    update: updatePackage,
    remove: removePackage,
    export: exportPackages,
    exports: listPackageExports,
    option: packageOptions,
  }),
  bind(offerCalls.option, packageOffers),
  ...bindAll(extraCalls, {
    list: listExtras,
    create: createExtra,
    read: readExtra,
    update: updateExtra,
    remove: removeExtra,
    export: exportExtras,
    exports: listExtraExports,
  }),
  ...bindAll(applicationCalls, {
    list: listApplications,
    create: createApplication,
    read: readApplication,
    update: updateApplication,
    remove: removeApplication,
    option: applicationOptions,
  }),
  ...bindAll(policyCalls, {
    list: listPolicies,
    create: createPolicy,
    read: readPolicy,
    update: updatePolicy,
    remove: removePolicy,
    option: policyOptions,
  }),
];
