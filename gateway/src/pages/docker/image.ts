import { bool, choice, file, ref, text } from '../../kit/field.ts';
import { list } from '../../kit/page.ts';
import { imageRepository, imageTag, sha256 } from '../../kit/patterns.ts';
import { MB } from '../../kit/size.ts';

export const dockerImage = list('docker_image', {
  title: ['镜像管理', 'Images'],
  summary: [
    '管理网关上保留的镜像，可从仓库拉取或文件导入。',
    'Images to keep on the gateway, pulled from a registry or loaded from a file.',
  ],
  key: 'name',
  maxRows: 64,
  fields: {
    name: text(['镜像标识', 'Image ID'], { required: true, max: 64 }),
    source: choice(
      ['来源', 'Source'],
      { pull: ['仓库拉取', 'Pull'], upload: ['文件导入', 'Load from file'], platform: ['平台分发', 'Platform distribution'] },
      { required: true, default: 'pull' },
    ),
    registry: ref(['仓库', 'Registry'], 'docker_registry', { required: true, when: ['source', 'pull'] }),
    image_file: file(['镜像文件', 'Image file'], {
      required: true,
      bytes: 2048 * MB,
      size: ['2GB', '2 GB'],
      named: /\.tar(\.gz)?$/,
      names: ['.tar或.tar.gz镜像文件', 'A .tar or .tar.gz image file'],
      when: ['source', 'upload'],
    }),
    repository: text(['镜像名', 'Repository'], { required: true, max: 255, like: imageRepository }),
    tag: text(['标签', 'Tag'], { required: true, default: 'latest', max: 128, like: imageTag }),
    digest: text(['摘要（sha256）', 'Digest (sha256)'], { max: 64, like: sha256 }),
    keep_old: bool(['保留旧版本', 'Keep the old version'], { default: true }),
    remark: text(['备注', 'Remark'], { max: 128 }),
  },
});
