import { languages } from '../../choices.ts';
import { choice, text } from '../../kit/field.ts';
import { form } from '../../kit/page.ts';
import { callSign, imoNumber, mmsi, phone } from '../../kit/patterns.ts';

export const advancedDeviceInfo = form('advanced_device_info', {
  title: ['设备信息', 'Device identity'],
  summary: ['设置平台和报表中显示的名称与海事标识。', 'Names and maritime identifiers that appear on the platform and in reports.'],
  fields: {
    device_name: text(['设备名称', 'Device name'], { required: true }),
    site_type: choice(
      ['站点类型', 'Site type'],
      {
        vessel: ['船舶', 'Vessel'],
        vehicle: ['车载', 'Vehicle'],
        platform: ['海上平台', 'Offshore platform'],
        fixed: ['固定站', 'Fixed site'],
      },
      { required: true, default: 'vessel' },
    ),
    vessel_name: text(['船名', 'Vessel name'], { max: 64, when: ['site_type', 'vessel'] }),
    imo: text(['IMO编号', 'IMO number'], { max: 7, like: imoNumber, when: ['site_type', 'vessel'] }),
    mmsi: text(['MMSI', 'MMSI'], { max: 9, like: mmsi, when: ['site_type', 'vessel'] }),
    call_sign: text(['呼号', 'Call sign'], { max: 10, like: callSign, when: ['site_type', 'vessel'] }),
    plate: text(['车牌号', 'Plate number'], { max: 16, when: ['site_type', 'vehicle'] }),
    language: choice(['界面语言', 'Interface language'], languages),
    contact: text(['联系人', 'Contact'], { max: 20 }),
    phone: text(['联系电话', 'Phone'], { max: 32, like: phone }),
    remark: text(['备注', 'Remark'], { max: 128 }),
  },
});
