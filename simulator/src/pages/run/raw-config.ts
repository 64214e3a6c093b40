import { checkConfig, factoryDocs } from '@farlink/gateway/kit/config.ts';
import { differences } from '@farlink/gateway/kit/difference.ts';
import { mapSecrets, readDocument } from '@farlink/gateway/kit/document.ts';
import { gatewayPages } from '@farlink/gateway/menu.ts';
import { isObject, type JsonObject } from '@farlink/gateway/protocol/shape.ts';
import { type Deed, DeedFault, type Doer } from './deed.ts';
import { keptIfReached } from './undo.ts';

/** Which sections a package of the raw configuration is made of. */
const packages: Readonly<Record<string, RegExp>> = {
  network: /^network_(wan|lan|vlan|static_route|policy_route|cellular|ip_group|time_group)/,
  dhcp: /^network_(dhcp|dns)/,
  firewall: /^defense_/,
  links: /^(link_change|arbiter|qos)_/,
  satellite: /^(satellite_route|fence)_/,
  wireless: /^(ac|auth)_/,
  system: /^(advanced|hidden|telnet|reporter|docker|file|vpn|behavior)_/,
};

const sectionsOf = (deed: Deed): string[] => {
  const pattern = packages[deed.text('package')];
  return [...factoryDocs.keys()].filter((name) => pattern?.test(name));
};

const docOf = (deed: Deed) => (section: string) => deed.box.sections.doc(section);

const openDoc = (section: string, doc: JsonObject): JsonObject => {
  const page = gatewayPages.get(section);
  return page ? mapSecrets(page, doc, () => '******') : doc;
};

const show = (deed: Deed): JsonObject => {
  const names = sectionsOf(deed);
  for (const [i, name] of names.entries())
    deed.say(`# ${name}\n${JSON.stringify(openDoc(name, docOf(deed)(name)), null, 2)}`, (i / names.length) * 100);
  return { sections: names.length };
};

const compare = (deed: Deed): JsonObject => {
  let changes = 0;
  for (const name of sectionsOf(deed)) {
    const page = gatewayPages.get(name);
    const found = page ? differences(page, openDoc(name, factoryDocs.get(name) ?? {}), openDoc(name, docOf(deed)(name))) : [];
    changes += found.length;
    for (const { what, row, field, before, after } of found)
      deed.say(
        `${what === 'added' ? '+' : what === 'removed' ? '-' : '~'} ${[name, row, field].filter(Boolean).join('.')}: ${JSON.stringify(before)} -> ${JSON.stringify(after)}`,
      );
  }
  deed.say(`${changes} differences from the factory`, 99);
  return { differences: changes };
};

/** `{section: document}`, of this package alone. */
const readContent = (deed: Deed): Map<string, JsonObject> => {
  let raw: unknown;
  try {
    raw = JSON.parse(deed.text('content'));
  } catch {
    throw new DeedFault('E_FIELD content: not JSON of the form {"section": {…}}');
  }
  if (!isObject(raw)) throw new DeedFault('E_FIELD content: not JSON of the form {"section": {…}}');
  const allowed = sectionsOf(deed);
  const docs = new Map<string, JsonObject>();
  for (const [name, value] of Object.entries(raw)) {
    const page = gatewayPages.get(name);
    if (!page || !allowed.includes(name) || !isObject(value)) throw new DeedFault(`E_FIELD content: no section ${name} in this package`);
    const { doc, problems } = readDocument(page, value);
    const [problem] = problems;
    if (problem) throw new DeedFault(`E_FIELD ${name}.${problem.path}: ${problem.text[1]}`);
    docs.set(name, doc);
  }
  return docs;
};

/** Applied, and taken back unless the console is reached again within the time. */
const apply = async (deed: Deed): Promise<JsonObject> => {
  const docs = readContent(deed);
  const [problem] = checkConfig([...docs.keys()], (section) => docs.get(section) ?? docOf(deed)(section), docOf(deed));
  if (problem) throw new DeedFault(`E_FIELD ${problem.section}.${problem.path}: ${problem.text[1]}`);
  deed.say(`${docs.size} sections are well`, 30);
  if (deed.flag('dry_run')) {
    deed.say('dry run: nothing was changed', 95);
    return { sections: docs.size, applied: false };
  }
  const before = new Map([...docs.keys()].map((name) => [name, docOf(deed)(name)]));
  for (const [name, doc] of docs) deed.box.changeLocally(name, doc);
  await keptIfReached(deed, before, deed.number('rollback', 90));
  return { sections: docs.size, applied: true };
};

export const rawConfig: Doer = async (deed) => {
  deed.say(deed.text('reason'), 2);
  const operation = deed.text('operation');
  return operation === 'apply' ? apply(deed) : operation === 'diff' ? compare(deed) : show(deed);
};
