import { templateCalls as calls } from '@farlink/contract/config/config-template.ts';
import { variableCalls } from '@farlink/contract/config/variable.ts';
import { type Binding, bindAll } from '../../../kit/http/serve.ts';
import { previewTemplate } from './preview.ts';
import { listTemplates, readTemplate, templatePages } from './read-template.ts';
import { createVariable, listVariables, removeVariable, updateVariable, variableOptions } from './variable.ts';
import { createTemplate, enableTemplate, removeTemplate, updateTemplate } from './write-template.ts';

export const templateBindings: readonly Binding[] = [
  ...bindAll(calls, {
    list: listTemplates,
    pages: templatePages,
    read: readTemplate,
    create: createTemplate,
    update: updateTemplate,
    enable: enableTemplate,
    remove: removeTemplate,
    preview: previewTemplate,
  }),
  ...bindAll(variableCalls, {
    list: listVariables,
    option: variableOptions,
    create: createVariable,
    update: updateVariable,
    remove: removeVariable,
  }),
];
