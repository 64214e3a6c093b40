import { calls } from '../kit/endpoint.ts';
import { choice, color, longText, text, time, variant } from '../kit/field.ts';
import { form, page } from '../kit/page.ts';
import { resource } from '../kit/resource.ts';
import { matches } from '../kit/rule.ts';
import { headOf } from '../menu.ts';
import { network } from '../protocol/network.ts';
import { rules } from '../rules.ts';
import { linkState } from './choices.ts';

const hex = matches('hex_color', /^#[0-9A-Fa-f]{6}$/, ['颜色格式为 #RRGGBB', 'A color as #RRGGBB'], { min: 7, max: 7 });

const fields = {
  network: choice(['网络类型', 'Network'], network),
  link_state: choice(['链路状态', 'Link state'], linkState),
  color: color(['显示颜色', 'Color'], { required: true, rules: [hex], width: 130 }),
  description: longText(['说明', 'Description'], { rules: [rules.free_512], max: 512, tooltip: true, width: 240 }),
  operator: text(['修改人', 'Changed by']),
  update_at: time(['更新时间', 'Updated at'], { sort: true }),
};

export const linkStatusColorResource = resource({
  fields,
  title: ['network', 'link_state'],
  columns: ['network', 'link_state', 'color', 'description', 'operator', 'update_at'],
  filters: ['network', 'link_state'],
  orderby: 'network asc',
});

const input = { color: fields.color, description: fields.description };

export const linkStatusColorCalls = calls('device', ['link_status_color'], {
  list: {
    kind: 'list',
    path: 'device/wan_color',
    summary: ['查询链路状态颜色', 'List the link status colors'],
    resource: linkStatusColorResource,
  },
  update: {
    kind: 'update',
    path: 'device/wan_color/{id}',
    summary: ['修改链路状态颜色', 'Change a link status color'],
    input,
    versioned: true,
  },
});

export const linkStatusColor = page({
  ...headOf('linkStatusColor'),
  resource: linkStatusColorResource,
  list: linkStatusColorCalls.list,
  forms: {
    edit: form(['修改链路颜色', 'Change link color'], {
      network: variant(fields.network, { readonly: true }),
      link_state: variant(fields.link_state, { readonly: true }),
      ...input,
    }),
  },
  actions: { edit: { on: 'row', label: ['修改颜色', 'Change color'], call: linkStatusColorCalls.update, form: 'edit' } },
});
