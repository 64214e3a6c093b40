import { checkConfig, factoryDocs } from '@farlink/gateway/kit/config.ts';
import { differences } from '@farlink/gateway/kit/difference.ts';
import { mapSecrets, readDocument } from '@farlink/gateway/kit/document.ts';
import { gatewayPages } from '@farlink/gateway/menu.ts';
import { isObject, type JsonObject } from '@farlink/gateway/protocol/shape.ts';
import { ActionFault, type ActionRun, type RunHandler } from './action-run.ts';
import { rollBackUnlessReachable } from './roll-back.ts';

/** Sections of each package of the raw configuration. */
const packages: Readonly<Record<string, RegExp>> = {
  network: /^network_(wan|lan|vlan|static_route|policy_route|cellular|ip_group|time_group)/,
  dhcp: /^network_(dhcp|dns)/,
  firewall: /^defense_/,
  links: /^(link_change|arbiter|qos)_/,
  satellite: /^(satellite_route|fence)_/,
  wireless: /^(ac|auth)_/,
  system: /^(advanced|hidden|telnet|reporter|docker|file|vpn|behavior)_/,
};

const sectionsOf = (run: ActionRun): string[] => {
  const pattern = packages[run.text('package')];
  return [...factoryDocs.keys()].filter((name) => pattern?.test(name));
};

const docOf = (run: ActionRun) => (section: string) => run.gateway.sections.doc(section);

const openDoc = (section: string, doc: JsonObject): JsonObject => {
  const page = gatewayPages.get(section);
  return page ? mapSecrets(page, doc, () => '******') : doc;
};

const show = (run: ActionRun): JsonObject => {
  const names = sectionsOf(run);
  for (const [i, name] of names.entries())
    run.print(`# ${name}\n${JSON.stringify(openDoc(name, docOf(run)(name)), null, 2)}`, (i / names.length) * 100);
  return { sections: names.length };
};

const compare = (run: ActionRun): JsonObject => {
  let changes = 0;
  for (const name of sectionsOf(run)) {
    const page = gatewayPages.get(name);
    const found = page ? differences(page, openDoc(name, factoryDocs.get(name) ?? {}), openDoc(name, docOf(run)(name))) : [];
    changes += found.length;
    for (const { what, row, field, before, after } of found)
      run.print(
        `${what === 'added' ? '+' : what === 'removed' ? '-' : '~'} ${[name, row, field].filter(Boolean).join('.')}: ${JSON.stringify(before)} -> ${JSON.stringify(after)}`,
      );
  }
  run.print(`${changes} differences from the factory values`, 99);
  return { differences: changes };
};

/** Parses `{section: document}`; all sections must belong to the package. */
const readContent = (run: ActionRun): Map<string, JsonObject> => {
  let raw: unknown;
  try {
    raw = JSON.parse(run.text('content'));
  } catch {
    throw new ActionFault('E_FIELD content: not JSON of the form {"section": {…}}');
  }
  if (!isObject(raw)) throw new ActionFault('E_FIELD content: not JSON of the form {"section": {…}}');
  const allowed = sectionsOf(run);
  const docs = new Map<string, JsonObject>();
  for (const [name, value] of Object.entries(raw)) {
    const page = gatewayPages.get(name);
    if (!page || !allowed.includes(name) || !isObject(value)) throw new ActionFault(`E_FIELD content: no section ${name} in this package`);
    const { doc, problems } = readDocument(page, value);
    const [problem] = problems;
    if (problem) throw new ActionFault(`E_FIELD ${name}.${problem.path}: ${problem.text[1]}`);
    docs.set(name, doc);
  }
  return docs;
};

/** Applies the sections. They are rolled back unless the console is reachable within the timeout. */
const apply = async (run: ActionRun): Promise<JsonObject> => {
  const docs = readContent(run);
  const [problem] = checkConfig([...docs.keys()], (section) => docs.get(section) ?? docOf(run)(section), docOf(run));
  if (problem) throw new ActionFault(`E_FIELD ${problem.section}.${problem.path}: ${problem.text[1]}`);
  run.print(`${docs.size} sections are valid`, 30);
  if (run.flag('dry_run')) {
    run.print('dry run: nothing was changed', 95);
    return { sections: docs.size, applied: false };
  }
  const before = new Map([...docs.keys()].map((name) => [name, docOf(run)(name)]));
  for (const [name, doc] of docs) run.gateway.changeLocally(name, doc);
  await rollBackUnlessReachable(run, before, run.number('rollback', 90));
  return { sections: docs.size, applied: true };
};

export const rawConfig: RunHandler = async (run) => {
  run.print(run.text('reason'), 2);
  const operation = run.text('operation');
  return operation === 'apply' ? apply(run) : operation === 'diff' ? compare(run) : show(run);
};
