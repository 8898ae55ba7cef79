import { regionOf } from './bucket.js';

describe('The region of a bucket', () => {
  it.each([
    ['s3.eu-west-3.amazonaws.com', 'eu-west-3'],
    ['s3-eu-west-1.amazonaws.com', 'eu-west-1'],
    ['s3.dualstack.eu-west-3.amazonaws.com', 'eu-west-3'],
    ['s3-fips.us-gov-west-1.amazonaws.com', 'us-gov-west-1'],
    ['s3.cn-north-1.amazonaws.com.cn', 'cn-north-1'],
    ['s3.fr-par.scw.cloud', 'fr-par'],
    ['s3.eu-central-2.wasabisys.com', 'eu-central-2'],
    ['s3.us-west-004.backblazeb2.com', 'us-west-004'],
    ['s3.gra.io.cloud.ovh.net', 'gra'],
  ])('is in the name of %s', (host, region) => {
    expect(regionOf(host)).toBe(region);
  });

  it.each([
    's3.amazonaws.com',
    's3.wasabisys.com',
    's3.example.org',
    's3.backup.example.org',
    'minio',
    '127.0.0.1',
  ])('is us-east-1 where %s does not tell it', (host) => {
    expect(regionOf(host)).toBe('us-east-1');
  });
});
