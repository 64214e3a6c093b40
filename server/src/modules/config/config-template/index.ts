import { templateCalls as calls } from '@farlink/contract/config/config-template.ts';
import { variableCalls } from '@farlink/contract/config/variable.ts';
import { type Binding, bind } from '../../../kit/http/serve.ts';
import { previewTemplate } from './preview.ts';
import { listTemplates, readTemplate, templatePages } from './read-template.ts';
import { createVariable, listVariables, removeVariable, updateVariable, variableOptions } from './variable.ts';
import { createTemplate, enableTemplate, removeTemplate, updateTemplate } from './write-template.ts';

export const templateBindings: readonly Binding[] = [
  bind(calls.list, listTemplates),
  bind(calls.pages, templatePages),
  bind(calls.read, readTemplate),
  bind(calls.create, createTemplate),
  bind(calls.update, updateTemplate),
  bind(calls.enable, enableTemplate),
  bind(calls.remove, removeTemplate),
  bind(calls.preview, previewTemplate),
  bind(variableCalls.list, listVariables),
  bind(variableCalls.option, variableOptions),
  bind(variableCalls.create, createVariable),
  bind(variableCalls.update, updateVariable),
  bind(variableCalls.remove, removeVariable),
];
