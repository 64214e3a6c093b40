import { extraCalls } from '@farlink/contract/package/extra-package.ts';
import { offerCalls } from '@farlink/contract/package/offer.ts';
import { packageCalls } from '@farlink/contract/package/package.ts';
import { applicationCalls, policyCalls } from '@farlink/contract/package/package-template.ts';
import { bind } from '../../kit/http/serve.ts';
import { packageOffers } from './offer.ts';
import {
  createExtra,
  createPackage,
  exportExtras,
  exportPackages,
  listExtraExports,
  listExtras,
  listPackageExports,
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
  bind(packageCalls.list, listPackages),
  bind(packageCalls.create, createPackage),
  bind(packageCalls.read, readPackage),
  bind(packageCalls.update, updatePackage),
  bind(packageCalls.remove, removePackage),
  bind(packageCalls.export, exportPackages),
  bind(packageCalls.exports, listPackageExports),
  bind(packageCalls.option, packageOptions),
  bind(offerCalls.option, packageOffers),
  bind(extraCalls.list, listExtras),
  bind(extraCalls.create, createExtra),
  bind(extraCalls.read, readExtra),
  bind(extraCalls.update, updateExtra),
  bind(extraCalls.remove, removeExtra),
  bind(extraCalls.export, exportExtras),
  bind(extraCalls.exports, listExtraExports),
  bind(applicationCalls.list, listApplications),
  bind(applicationCalls.create, createApplication),
  bind(applicationCalls.read, readApplication),
  bind(applicationCalls.update, updateApplication),
  bind(applicationCalls.remove, removeApplication),
  bind(applicationCalls.option, applicationOptions),
  bind(policyCalls.list, listPolicies),
  bind(policyCalls.create, createPolicy),
  bind(policyCalls.read, readPolicy),
  bind(policyCalls.update, updatePolicy),
  bind(policyCalls.remove, removePolicy),
  bind(policyCalls.option, policyOptions),
];
