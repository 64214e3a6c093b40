import { bool, int, secret, time } from '../../kit/field.ts';
import { action } from '../../kit/page.ts';
import { laterThan } from '../../kit/page-rules.ts';

export const diagnosisLogCollect = action('diagnosis_log_collect', {
  title: ['日志收集', 'Log collection'],
  summary: [
    '打包所选模块的日志和状态供技术支持使用，内容脱敏并加密。',
    'Packs logs and state of the chosen parts for support, masked and encrypted.',
  ],
  fields: {
    system: bool(['系统日志', 'System'], { default: true }),
    satellite: bool(['卫星与天线', 'Satellite and antenna'], { default: true }),
    links: bool(['链路与仲裁', 'Links and arbiter'], { default: true }),
    auth: bool(['认证', 'Login'], { default: false }),
    wireless: bool(['无线', 'Wireless'], { default: false }),
    docker: bool(['容器', 'Containers'], { default: false }),
    from_time: time(['起始时间', 'From'], { required: true }),
    to_time: time(['结束时间', 'To'], { required: true }),
    include_config: bool(['包含配置（密码隐去）', 'Include configuration without secrets'], { default: true }),
    mask: bool(['隐去个人信息', 'Mask personal data'], { default: true }),
    archive_password: secret(['压缩包口令', 'Archive password'], { max: 32 }),
    max_size: int(['最大体积', 'Maximum size'], { default: 20, min: 1, max: 500, unit: 'MB' }),
    upload: bool(['上传平台', 'Send to the platform'], { default: true }),
    allow_lband: bool(['允许经L波段上传', 'Upload over L-band'], { default: false }),
  },
  rules: [laterThan('to_time', 'from_time')],
});
