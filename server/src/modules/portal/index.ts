import { portalCalls } from '@farlink/contract/market/portal.ts';
import { type Binding, bindAll } from '../../kit/http/serve.ts';
import { discardDraft, saveDraft } from './draft.ts';
import { listPortals, listResources, listRevisions, listTemplates, readPortal, templateOptions } from './read.ts';
import { readResource, uploadResource } from './resource.ts';
import { removeTemplate, uploadTemplate } from './template.ts';
import { portalThumbnail, templateThumbnail } from './thumbnail.ts';
import { createPortal, makeDefault, removePortal, revertPortal, updatePortal } from './write.ts';

export const portalBindings: readonly Binding[] = bindAll(portalCalls, {
  list: listPortals,
  create: createPortal,
  read: readPortal,
  update: updatePortal,
  remove: removePortal,
  setDefault: makeDefault,
  thumbnail: portalThumbnail,
  draft: saveDraft,
  discardDraft,
  history: listRevisions,
  revert: revertPortal,
  templates: listTemplates,
  templateOption: templateOptions,
  uploadTemplate,
  removeTemplate,
  templateThumbnail,
  upload: uploadResource,
  resources: listResources,
  resourceImage: readResource,
});
