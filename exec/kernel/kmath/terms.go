package kmath

// Polynomials that are near the best of their degree: interpolants at the nodes of Chebyshev, the
// lowest coefficient first. The errors are absolute, of the polynomial. They are constants where compiled
// kernels use them.

// expT0 and so on: (eʳ-1-r)/r² for |r| <= ln(2)/2, to 1.4e-18.
const (
	expT0  = 0x1.0000000000000p-1
	expT1  = 0x1.5555555555557p-3
	expT2  = 0x1.5555555555556p-5
	expT3  = 0x1.11111111100bep-7
	expT4  = 0x1.6c16c16c162c3p-10
	expT5  = 0x1.a01a01abf85abp-13
	expT6  = 0x1.a01a01a6e1e2ap-16
	expT7  = 0x1.71de01fdbf9cap-19
	expT8  = 0x1.27e4db46cddd1p-22
	expT9  = 0x1.af4e554377204p-26
	expT10 = 0x1.1f7340dbc337ep-29
)

// expS0 and so on: the terms of expT for float32, to 1.4e-9.
const (
	expS0 = 0x1.0000000ba132cp-1
	expS1 = 0x1.5555555a800cdp-3
	expS2 = 0x1.5554e8a22b84cp-5
	expS3 = 0x1.1110e0c5c7f50p-7
	expS4 = 0x1.6d43af18200d3p-10
	expS5 = 0x1.a1256cd2f13c2p-13
)

// logT0 and so on: 2(atanh(s)-s)/s³ in s² for |s| <= .172, to 3.1e-16.
const (
	logT0 = 0x1.5555555555558p-1
	logT1 = 0x1.9999999995273p-2
	logT2 = 0x1.2492492dfd86cp-2
	logT3 = 0x1.c71c62d5e53e0p-3
	logT4 = 0x1.7462b91b8df65p-3
	logT5 = 0x1.39fdcceb4bb45p-3
	logT6 = 0x1.2b5f68a50d903p-3
)

// logS0 and so on: the terms of logT for float32, to 1.2e-9.
const (
	logS0 = 0x1.5555554ba8b0ep-1
	logS1 = 0x1.9999eb9d6ddfep-2
	logS2 = 0x1.245c273432202p-2
	logS3 = 0x1.ddd4dad98e4c4p-3
)

// logP0 and so on: (atanh(s)/s-1-s²/3)/s⁴ in s² for |s| <= .172.
const (
	logP0 = 0x1.999999999999ap-3
	logP1 = 0x1.2492492492492p-3
	logP2 = 0x1.c71c71c71c705p-4
	logP3 = 0x1.745d1745d3f5bp-4
	logP4 = 0x1.3b13b138ec368p-4
	logP5 = 0x1.1111122126d32p-4
	logP6 = 0x1.e1e13eb311e4bp-5
	logP7 = 0x1.af46a02617d7cp-5
	logP8 = 0x1.82bc0b9b7fd9bp-5
	logP9 = 0x1.987a178cf8370p-5
)

// sinT0 and so on: (sin(r)-r)/r³ in r² for |r| <= π/4, to 1.2e-20.
const (
	sinT0 = -0x1.5555555555555p-3
	sinT1 = 0x1.1111111111110p-7
	sinT2 = -0x1.a01a01a01992fp-13
	sinT3 = 0x1.71de3a545f836p-19
	sinT4 = -0x1.ae645410e937bp-26
	sinT5 = 0x1.61217d9252c03p-33
	sinT6 = -0x1.ab16f5caa198ap-41
)

// cosT0 and so on: (cos(r)-1+r²/2)/r⁴ in r² for |r| <= π/4, to 1.3e-18.
const (
	cosT0 = 0x1.5555555555555p-5
	cosT1 = -0x1.6c16c16c16963p-10
	cosT2 = 0x1.a01a019f4ddfdp-16
	cosT3 = -0x1.27e4fa16cc2d1p-22
	cosT4 = 0x1.1eeb67d026ec6p-29
	cosT5 = -0x1.907cd8ff5ede7p-37
)

// sinS0 and so on: the terms of sinT for float32, to 2.8e-11.
const (
	sinS0 = -0x1.555555545d0dap-3
	sinS1 = 0x1.11110decc73fdp-7
	sinS2 = -0x1.a013a455bd213p-13
	sinS3 = 0x1.6dbcfb4dee452p-19
)

// cosS0 and so on: the terms of cosT for float32, to 2.4e-12.
const (
	cosS0 = 0x1.55555555027adp-5
	cosS1 = -0x1.6c16bf534c9ebp-10
	cosS2 = 0x1.a015c25366932p-16
	cosS3 = -0x1.25239a9550aefp-22
)

// atanT0 and so on: (atan(t)-t)/t³ in t² for |t| <= tan(π/8), to 1.2e-18.
const (
	atanT0  = -0x1.5555555555555p-2
	atanT1  = 0x1.9999999999952p-3
	atanT2  = -0x1.249249248d739p-3
	atanT3  = 0x1.c71c71c2fc236p-4
	atanT4  = -0x1.745d165c497f3p-4
	atanT5  = 0x1.3b1392a9c2d8bp-4
	atanT6  = -0x1.110e84aa36d9dp-4
	atanT7  = 0x1.e199c62156609p-5
	atanT8  = -0x1.ac7858539e493p-5
	atanT9  = 0x1.74d3a7b43351ap-5
	atanT10 = -0x1.1b1992aa413c9p-5
	atanT11 = 0x1.0a997ba33c1dbp-6
)

// atanS0 and so on: the terms of atanT for float32, to 5.4e-10.
const (
	atanS0 = -0x1.5555554bfd993p-2
	atanS1 = 0x1.99997aefc3eb5p-3
	atanS2 = -0x1.248a0f9e7dbe8p-3
	atanS3 = 0x1.c57a94756983fp-4
	atanS4 = -0x1.613c1c599a50fp-4
	atanS5 = 0x1.9d60fa5068fb4p-5
)

// erfTerms: erf(x)/x-1 in x² for |x| <= 1, to 7.4e-18.
var erfTerms = [...]float64{
	0x1.06eba8214db68p-3,
	-0x1.812746b0379c1p-2,
	0x1.ce2f21a040f66p-4,
	-0x1.b82ce31203772p-6,
	0x1.565bccfa44156p-8,
	-0x1.c02db0665e53dp-11,
	0x1.f9a2be4f731a1p-14,
	-0x1.f4ca838adb73bp-17,
	0x1.b981d78881a5dp-20,
	-0x1.5c131500d3f88p-23,
	0x1.d76af6ca49787p-27,
	-0x1.ac9585a44fe29p-31,
}

// erfTerms32: the same to 1.2e-9.
var erfTerms32 = [...]float64{
	0x1.06eba7f673903p-3,
	-0x1.81273e7a02443p-2,
	0x1.ce2d10ed44e09p-4,
	-0x1.b7faba961c85ap-6,
	0x1.541270c79ca2cp-8,
	-0x1.a45087f1a200ap-11,
	0x1.4a5690869d13fp-14,
}

// cbrtT0 and so on: 1/∛m for 1 <= m <= 8.
const (
	cbrtT0 = 0x1.7a98edfa97b3dp+0
	cbrtT1 = -0x1.6e09bf821612fp-1
	cbrtT2 = 0x1.323771a15c452p-2
	cbrtT3 = -0x1.33b5e9c69988ap-4
	cbrtT4 = 0x1.63a02a829120ap-7
	cbrtT5 = -0x1.b364189fd5bc0p-11
	cbrtT6 = 0x1.b4c93aa94063bp-16
)

// erfcTerms: erfc(x) in x-c for 1 <= x <= 6, in pieces of ½ around c.
var erfcTerms = [...][15]float64{
	{0x1.3bcd133aa0ffcp-4, -0x1.e4652fadcb6b1p-3, 0x1.2ebf3dcc9f22fp-2, -0x1.571d01c5c588cp-3, 0x1.93a9a7bb7f98dp-8, 0x1.8281ce0b82f08p-5, -0x1.5d0003af90ad9p-6, -0x1.db43cae5db126p-9, 0x1.75672d12391f6p-8, -0x1.cc2172222da51p-11, -0x1.a0077eba0fde4p-11, 0x1.538c382602086p-12, 0x1.baa412d8caf14p-15, -0x1.c7dbbabc9602cp-15, 0x1.6b00eb2cb6fdap-19},
	{0x1.b4be201caa4b4p-7, -0x1.b055303221017p-5, 0x1.7a4a8a2bdce13p-4, -0x1.7148c3d57c13dp-4, 0x1.8a0da54306125p-5, -0x1.b22257de3e309p-8, -0x1.25b378c922971p-7, 0x1.8d10fbc9edc40p-8, -0x1.7ec1d1fe41acfp-11, -0x1.d4cf7e6170c7fp-11, 0x1.d041fa2455146p-12, 0x1.722db27883de3p-18, -0x1.200b75b2a369cp-14, 0x1.1c9c05c8566aap-16, 0x1.39018723e6d46p-18},
	{0x1.7f713f9cc9784p-10, -0x1.d4143a9dfe962p-8, 0x1.074b60f8df349p-6, -0x1.63ef61e82460cp-6, 0x1.38a9832789088p-6, -0x1.5d3b17bbb7d08p-7, 0x1.7cae0d45d1827p-9, 0x1.5f8312f2e509fp-11, -0x1.0602e34e91dccp-10, 0x1.8353090f6d335p-12, 0x1.80c2a51bfb5f0p-17, -0x1.1145d519c5e72p-14, 0x1.7c9628114e880p-16, 0x1.9a8d6636d4e3dp-20, -0x1.c604970ebb8a5p-19},
	{0x1.a609f7584d32bp-14, -0x1.3360ccd23db3ap-11, 0x1.a6a519a114d6ep-10, -0x1.69cf466ccdf7bp-9, 0x1.ab0c273ac282fp-9, -0x1.6935960663d09p-9, 0x1.b2755bfd49744p-10, -0x1.52b6264035d58p-11, 0x1.7557732aef7d8p-14, 0x1.2abb3e006ef2ep-14, -0x1.cd5961467fceep-15, 0x1.09d044aa888fcp-16, 0x1.2027571ce8a4bp-20, -0x1.68a5f7de223aap-19, 0x1.ddb4fc18278c9p-21},
	{0x1.20c1303550f0ep-18, -0x1.e9b5e8d00cebap-16, 0x1.8de3cd290a7c7p-14, -0x1.9aa489e3c996dp-13, 0x1.2c7d5ef053abap-12, -0x1.490a4d2379088p-12, 0x1.145464ea53367p-12, -0x1.647f71dcc8e45p-13, 0x1.567479968d821p-14, -0x1.b2c36d6a9697bp-16, 0x1.389435464ebf4p-19, 0x1.80a322aa6be87p-19, -0x1.ff5b0dda40037p-20, 0x1.1dec94d465e98p-21, 0x1.9474cda205f5cp-29},
	{0x1.e87470e4f4246p-24, -0x1.d9371e2ff7a72p-21, 0x1.bba3ac4cf8465p-19, -0x1.0b6a7b0f1f753p-17, 0x1.d06f586094603p-17, -0x1.3436bc9e6103ep-16, 0x1.4357b55446d3bp-16, -0x1.110de505de76bp-16, 0x1.7566bf05da612p-17, -0x1.99f58493e3d34p-18, 0x1.5d68f52907684p-19, -0x1.a06d7c8613a38p-21, 0x1.835991bf3a5d4p-24, 0x1.046c53922e7b9p-24, -0x1.7133b91983267p-25},
	{0x1.fcae93fb7323cp-30, -0x1.155a09065d31bp-26, 0x1.26afa996c31b1p-24, -0x1.95ea6fe003e71p-23, 0x1.96ba7366c5762p-22, -0x1.3b46801847502p-21, 0x1.8868e1d0a7cbcp-21, -0x1.916e929f2bf29p-21, 0x1.566f0257044a5p-21, -0x1.eab4c554bb11fp-22, 0x1.275887d66f6cap-22, -0x1.27def3c157d93p-23, 0x1.e05aa8744cbb7p-25, -0x1.2476c65e7e71cp-26, 0x1.8d5063f9bbfebp-29},
	{0x1.453141082302ap-36, -0x1.8a61745ed043cp-33, 0x1.d453ba308dc61p-31, -0x1.6a8aeba33b14dp-29, 0x1.9b017abbcce5cp-28, -0x1.6b43c988358b3p-27, 0x1.042f2a6c672b5p-26, -0x1.35dc7b2ef4aa3p-26, 0x1.3834e30c8ba30p-26, -0x1.0d4e2a0ce34d5p-26, 0x1.90aaa27e76addp-27, -0x1.01b220cbcdfeep-27, 0x1.1ed38869b1ea0p-28, -0x1.1a4b016ee1dc7p-29, 0x1.c08288e6abc1bp-31},
	{0x1.fd5f08ad2b29ap-44, -0x1.5422ef5dd7e56p-40, 0x1.be6dda2acc178p-38, -0x1.7f8a0f32ad772p-36, 0x1.e4cb4ae823368p-35, -0x1.e044b5d9efc14p-34, 0x1.83ea4c05d949fp-33, -0x1.065933e6f4ad0p-32, 0x1.2ec53fc860171p-32, -0x1.2e3dfbd49afdfp-32, 0x1.07839e41fb1eep-32, -0x1.933b66aea721ep-33, 0x1.1168f63ca58b4p-33, -0x1.5baa952604b33p-34, 0x1.6ba6bda3b5f6dp-35},
	{0x1.e7eea02e4ed88p-52, -0x1.63daf8b6ae5eep-48, 0x1.ff8ac58400682p-46, -0x1.e2d06d25b3af5p-44, 0x1.505d952c32bedp-42, -0x1.70b70755e016cp-41, 0x1.4aed69c0755d9p-40, -0x1.f3c4a4fbe308bp-40, 0x1.43c0e76ad620ep-39, -0x1.6d2b03c9f2290p-39, 0x1.6a577387fbb15p-39, -0x1.3d8ebeeb6b903p-39, 0x1.f42ee04dbf586p-40, -0x1.80e858e46707ep-40, 0x1.e0bebdb52146cp-41},
}

// erfcTerms32: the same for 1 <= x <= 4.
var erfcTerms32 = [...][8]float64{
	{0x1.3bcd130cc2ec6p-4, -0x1.e4652faa5cfd0p-3, 0x1.2ebf54bd455e9p-2, -0x1.571d08a3ee171p-3, 0x1.91de2cabd6f97p-8, 0x1.828a6c82f71bbp-5, -0x1.51785dcee60ddp-6, -0x1.e93190a627281p-9},
	{0x1.b4be2048ee522p-7, -0x1.b05530237e2d8p-5, 0x1.7a4a7f174c89fp-4, -0x1.7148d27860041p-4, 0x1.8a149e1fafeb2p-5, -0x1.b1d927bc5dc64p-8, -0x1.28898b3b335dep-7, 0x1.85bef61f83e07p-8},
	{0x1.7f7141a7ee84dp-10, -0x1.d4143acd583e9p-8, 0x1.074b1f93c5f51p-6, -0x1.63ef4a392f38fp-6, 0x1.38bdf388a4683p-6, -0x1.5d49ec44381f3p-7, 0x1.6c529a31b5a46p-9, 0x1.775a7d34f762bp-11},
	{0x1.a609f4a72f310p-14, -0x1.3360cd1ef8641p-11, 0x1.a6a56fe197585p-10, -0x1.69cf201386721p-9, 0x1.aafe94e21f57cp-9, -0x1.69418b0fd4efep-9, 0x1.b53874ab85dbcp-10, -0x1.4df4aaa403cb1p-11},
	{0x1.20c105426e401p-18, -0x1.e9b5e576bc4e4p-16, 0x1.8de92b73d69cfp-14, -0x1.9aa560443d70ap-13, 0x1.2c12088294f79p-12, -0x1.48e8c3b1dfdbep-12, 0x1.1f0e580a7cb08p-12, -0x1.6b39be7be7b0ep-13},
	{0x1.e872f08ae6072p-24, -0x1.d9370429370b2p-21, 0x1.bbbbaf3021379p-19, -0x1.0b6dbbb3a7b89p-17, 0x1.ce9046a5b0356p-17, -0x1.33b4ce68cdc40p-16, 0x1.5b268976e9412p-16, -0x1.1e0125ad30215p-16},
}

// twoOverPi has the bits of 2/π, the highest first, after 64 bits of zeros.
var twoOverPi = [...]uint64{
	0,
	0xa2f9836e4e441529,
	0xfc2757d1f534ddc0,
	0xdb6295993c439041,
	0xfe5163abdebbc561,
	0xb7246e3a424dd2e0,
	0x6492eea09d1921c,
	0xfe1deb1cb129a73e,
	0xe88235f52ebb4484,
	0xe99c7026b45f7e41,
	0x3991d639835339f4,
	0x9c845f8bbdf9283b,
	0x1ff897ffde05980f,
	0xef2f118b5a0a6d1f,
	0x6d367ecf27cb09b7,
	0x4f463f669e5fea2d,
	0x7527bac7ebe5f17b,
	0x3d0739f78a5292ea,
	0x6bfb5fb11f8d5d08,
	0x56033046fc7b6bab,
	0xf0cfbc209af4361d,
}
